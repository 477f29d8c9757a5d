// EXPECT: safe
// Exactly one of the two threads at a barrier is told to do the work for all.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int done;

static void *work(void *unused) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    done = done + 1;
  pthread_barrier_wait(&barrier);
  assert(done == 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}
