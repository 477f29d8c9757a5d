// expect: unsafe, must [judge: none]
// A guard that unlocks: without it, the second lock waits for ever, and with two threads data is protected.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void unlock(pthread_mutex_t **p) { pthread_mutex_unlock(*p); }
static void *worker(void *arg) {
  {
    __attribute__((cleanup(unlock))) pthread_mutex_t *guard = &m;
    pthread_mutex_lock(guard);
    }
  {
    x++;
    assert(x == 1);
    x--;
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  return 0;
}
