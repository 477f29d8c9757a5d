// expect: unsafe, must [judge: none]
// A lock in an object on the heap, with loops: what each thread has of the lock is not reset where there was no object before, so threads can be told apart.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  pthread_mutex_t mutex;
  unsigned value;
} counter;

counter *counter_new(void) {
  counter *made = malloc(sizeof *made);
  if (made == NULL) {
    return NULL;
  }
  made->value = 0;
  if (pthread_mutex_init(&made->mutex, NULL) != 0) {
    free(made);
    return NULL;
  }
  return made;
}

void counter_increment(counter *counter) {
  pthread_mutex_lock(&counter->mutex);
  unsigned seen = counter->value;
  pthread_mutex_unlock(&counter->mutex);
  pthread_mutex_lock(&counter->mutex);
  counter->value = seen + 1;
  pthread_mutex_unlock(&counter->mutex);
}

unsigned counter_get(counter *counter) {
  pthread_mutex_lock(&counter->mutex);
  unsigned value = counter->value;
  pthread_mutex_unlock(&counter->mutex);
  return value;
}

void *work(void *argument) {
  for (int round = 0; round < 2; round++) {
    counter_increment(argument);
  }
  return NULL;
}

int main(void) {
  counter *counter = counter_new();
  pthread_t threads[2];
  if (counter == NULL) {
    return 1;
  }
  for (int index = 0; index < 2; index++) {
    if (pthread_create(&threads[index], NULL, work, counter) != 0) {
      return 1;
    }
  }
  for (int index = 0; index < 2; index++) {
    pthread_join(threads[index], NULL);
  }
  assert(counter_get(counter) == 4);
  pthread_mutex_destroy(&counter->mutex);
  free(counter);
  return 0;
}
