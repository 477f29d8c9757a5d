// EXPECT: unsafe
// As create-join-heap.c, but the result is in a static variable: a later thread overwrites it before main has looked.
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
  static int result;
  result = *input * *input;
  free(input);
  return &result;
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
  }
  return 0;
}
