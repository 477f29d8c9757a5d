// EXPECT: unsafe
// As barrier-two-buffers.c, but with one buffer: who is fast overwrites it while the other one has not yet read.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int values[1][2];

static void work(int me) {
  for (int round = 0;; round = (round + 1) % 4) {
    int buffer = 0;
    values[buffer][me] = round;
    pthread_barrier_wait(&barrier);
    assert(values[buffer][1 - me] == round);
  }
}

static void *other(void *unused) {
  (void)unused;
  work(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, other, 0);
  work(0);
  return 0;
}
