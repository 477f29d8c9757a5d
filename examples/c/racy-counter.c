// EXPECT: unsafe
// Two threads increment a counter without a lock: reading and writing are two steps, and one increment gets lost.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
  counter++;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, increment, 0);
  pthread_create(&second, 0, increment, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
  return 0;
}
