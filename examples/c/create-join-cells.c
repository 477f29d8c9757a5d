// EXPECT: safe
// Four threads get a pointer to an element each, and double it; after all have been joined, all elements are doubled. The twin
// create-join-cells-bug.c joins one thread less.
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
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  for (int i = 0; i < THREADS; i++)
    assert(cells[i] == 2 * i);
  return 0;
}
