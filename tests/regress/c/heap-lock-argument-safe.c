// expect: safe, must [judge: tsan]
// A lock on the stack of main, and arguments of threads on the heap that point to it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
  pthread_mutex_t *lock;
  int *sum;
  int number;
};

void *work(void *argument) {
  struct job *job = argument;
  pthread_mutex_lock(job->lock);
  *job->sum += job->number;
  pthread_mutex_unlock(job->lock);
  free(job);
  return 0;
}

int main(void) {
  pthread_mutex_t lock;
  int sum = 0;
  pthread_t threads[2];
  pthread_mutex_init(&lock, 0);
  for (int index = 0; index < 2; index++) {
    struct job *job = malloc(sizeof *job);
    job->lock = &lock;
    job->sum = &sum;
    job->number = index + 1;
    pthread_create(&threads[index], 0, work, job);
  }
  for (int index = 0; index < 2; index++) {
    pthread_join(threads[index], 0);
  }
  assert(sum == 3);
  pthread_mutex_destroy(&lock);
  return 0;
}
