// EXPECT: safe
// Two threads exchange values, with one barrier in a round instead of two: they write to one buffer in even rounds and to the other one in
// odd rounds, so that nobody overwrites what is still being read. Any number of rounds. The twin barrier-two-buffers-bug.c has one buffer.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int values[2][2];

static void work(int me) {
  for (int round = 0;; round = (round + 1) % 4) {
    int buffer = round % 2;
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
