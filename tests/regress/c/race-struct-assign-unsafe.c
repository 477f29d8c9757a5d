// expect: unsafe [options: --data-race-check] [judge: tsan]
// The assignment of a structure reads all members.
#include <pthread.h>

static struct s {
  int a, b;
} s, other;
static void *worker(void *arg) {
  s.b = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  struct s v = s;
  pthread_join(t, 0);
  return v.a == 5;
}
