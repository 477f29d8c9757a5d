// expect: safe [judge: none]
// Two threads, each waits for a flag in its own frame.
#include <assert.h>
#include <pthread.h>

static int *volatile box;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  int mine = 0;
  pthread_mutex_lock(&m);
  box = &mine;
  *box = 1;
  assert(box == &mine);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
