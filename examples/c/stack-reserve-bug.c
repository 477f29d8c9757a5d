// EXPECT: unsafe
// As stack-reserve.c, but reading the index and moving it are two steps: two threads get the same place.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static long places[THREADS];
static atomic_int top;

static void *push(void *argument) {
  int mine = top;
  top = mine + 1;
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
