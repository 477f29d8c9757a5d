// EXPECT: unsafe
// THREADS: 5
// As create-join-value.c, but the threads get the address of the loop's counter, which has moved on when they look.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4

static atomic_long sum;

static void *work(void *argument) {
  long number = *(long *)argument;
  sum += number;
  return (void *)(2 * number);
}

int main(void) {
  pthread_t threads[THREADS];
  long i, collected = 0;
  for (i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, &i);
  for (int j = 0; j < THREADS; j++) {
    void *result;
    pthread_join(threads[j], &result);
    collected += (long)result;
  }
  assert(sum == 6 && collected == 12);
  return 0;
}
