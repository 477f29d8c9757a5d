// EXPECT: safe
// Two threads get a number from the heap, which they free, and return its square in a new object on the heap; main collects and frees these. In
// the twin create-join-heap-bug.c the result is in a static variable.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 2

static int *create(int number) {
  int *object = malloc(sizeof *object);
  if (object == 0)
    exit(1);
  *object = number;
  return object;
}

static void *work(void *argument) {
  int *input = argument;
  int *result = create(*input * *input);
  free(input);
  return result;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, create(i + 1));
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(threads[i], &result);
    int *square = result;
    assert(*square == (i + 1) * (i + 1));
    free(square);
  }
  return 0;
}
