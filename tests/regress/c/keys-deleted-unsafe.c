// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// A key is deleted while a thread with a value for it ends: the destructor runs, or it does not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_key_t key;
int value, ran;
atomic_int set;

void destroy(void *unused) { ran++; }

void *worker(void *unused) {
  pthread_setspecific(key, &value);
  set = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destroy);
  pthread_create(&thread, 0, worker, 0);
  while (!set) {
  }
  pthread_key_delete(key);
  pthread_join(thread, 0);
  assert(ran == 0);
  return 0;
}
