// expect: safe, must [judge: none]
// A number that two threads write as a whole.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
double level = 0.5;

void *raise_level(void *argument) {
  pthread_mutex_lock(&lock);
  level = 1.5;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, raise_level, 0);
  pthread_mutex_lock(&lock);
  double seen = level;
  pthread_mutex_unlock(&lock);
  assert(seen == 0.5 || seen == 1.5);
  return 0;
}
