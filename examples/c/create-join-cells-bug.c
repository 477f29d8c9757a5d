// EXPECT: unsafe
// As create-join-cells.c, but the last thread is not joined, and perhaps has not yet run.
#include <assert.h>
#include <pthread.h>

#define THREADS 4

static int cells[THREADS];

static void *work(void *argument) {
  int *cell = argument;
  *cell = 2 * *cell;
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    cells[i] = i;
    pthread_create(&threads[i], 0, work, &cells[i]);
  }
  for (int i = 0; i < THREADS - 1; i++)
    pthread_join(threads[i], 0);
  for (int i = 0; i < THREADS; i++)
    assert(cells[i] == 2 * i);
  return 0;
}
