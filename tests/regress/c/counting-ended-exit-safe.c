// expect: safe [options: --max-live-threads 8 --no-search] [judge: none]
// Threads that have ended are not alive, but what they counted stays.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n;
void *w(void *a) {
  n++;
  assert(n <= 10);
  n--;
  pthread_exit(0);
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, w, 0);
}
