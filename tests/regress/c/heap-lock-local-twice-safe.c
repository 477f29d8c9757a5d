// expect: safe, must [judge: sanitizers]
// A local lock has a new life in each call, in which nobody holds it.
#include <assert.h>
#include <pthread.h>

int calls;

void *look(void *argument) {
  return argument;
}

void use(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread;
  pthread_create(&thread, 0, look, &lock);
  pthread_join(thread, 0);
  pthread_mutex_lock(&lock);
  calls++;
}

int main(void) {
  use();
  use();
  assert(calls == 2);
  return 0;
}
