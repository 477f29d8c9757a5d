// expect: safe, must [judge: tsan]
// A lock in a union: each thread has its own word of whether it holds the lock, also where the object is bytes.
#include <assert.h>
#include <pthread.h>

union {
  pthread_mutex_t mutex;
  long words[8];
} lock = {PTHREAD_MUTEX_INITIALIZER};
int inside;

void *work(void *argument) {
  pthread_mutex_lock(&lock.mutex);
  inside++;
  assert(inside == 1);
  inside--;
  pthread_mutex_unlock(&lock.mutex);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
