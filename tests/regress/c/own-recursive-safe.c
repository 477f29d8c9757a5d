// expect: safe, must [judge: none]
// A recursive lock behind the header of a block of memory: another thread does not go deeper, it waits.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct header {
  long size;
};
int inside;

void *work(void *argument) {
  pthread_mutex_t *lock = argument;
  pthread_mutex_lock(lock);
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  inside++;
  assert(inside == 1);
  inside--;
  pthread_mutex_unlock(lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_mutexattr_t attributes;
  struct header *block = malloc(sizeof(struct header) + sizeof(pthread_mutex_t));
  pthread_mutex_t *lock = (pthread_mutex_t *)(block + 1);
  block->size = sizeof(pthread_mutex_t);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(lock, &attributes);
  pthread_create(&first, 0, work, lock);
  pthread_create(&second, 0, work, lock);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(block->size == sizeof(pthread_mutex_t));
  return 0;
}
