// EXPECT: safe
// Three threads push without a lock: an atomic operation reserves a place for each. Afterwards all values are there. In the twin
// stack-reserve-bug.c, reading the index and moving it are two steps, and two threads get the same place.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static long places[THREADS];
static atomic_int top;

static void *push(void *argument) {
  int mine = atomic_fetch_add(&top, 1);
  places[mine] = (long)argument;
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  long sum = 0;
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, push, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  for (int i = 0; i < THREADS; i++)
    sum += places[i];
  assert(top == THREADS && sum == 6);
  return 0;
}
