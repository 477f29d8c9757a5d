// EXPECT: safe
// Two threads write, meet at a barrier, and read what the other wrote; a second barrier protects the next round.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int values[2];

static void *work(void *argument) {
  int *mine = argument;
  int *other = mine == &values[0] ? &values[1] : &values[0];
  for (int round = 1; round <= 2; round++) {
    *mine = round;
    pthread_barrier_wait(&barrier);
    assert(*other == round);
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, work, &values[0]);
  work(&values[1]);
  pthread_join(thread, 0);
  return 0;
}
