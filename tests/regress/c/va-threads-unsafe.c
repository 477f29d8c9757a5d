// expect: unsafe
// Each call has arguments of its own, in every thread and on every level of recursion.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static int most(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int best = va_arg(ap, int);
  for (int i = 1; i < n; i++) {
    int next = va_arg(ap, int);
    if (next > best)
      best = next;
  }
  va_end(ap);
  return best;
}
static int sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int rest = n > 1 ? sum(n - 1, n) : 0;
  int first = va_arg(ap, int);
  va_end(ap);
  return first + rest;
}
static void *worker(void *arg) {
  assert(most(2, 5, 6) == 5);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  assert(most(3, 1, 9, 4) == 9);
  assert(sum(2, 20) == 22);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
