// EXPECT: safe
// Thread-specific data: each thread gets back what it has stored itself.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int numbers[2] = {1, 2};

static void *work(void *argument) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, argument);
  assert(pthread_getspecific(key) == argument);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, 0);
  pthread_create(&thread, 0, work, &numbers[0]);
  work(&numbers[1]);
  pthread_join(thread, 0);
  assert(pthread_getspecific(key) == &numbers[1]);
  return 0;
}
