// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// A mutex whose block was left.
#include <pthread.h>

static pthread_mutex_t *found, global = PTHREAD_MUTEX_INITIALIZER;
static void make(void) {
  pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&local);
  pthread_mutex_unlock(&local);
  found = &local;
}
int main(void) {
  make();
  pthread_mutex_lock(found);
  return 0;
}
