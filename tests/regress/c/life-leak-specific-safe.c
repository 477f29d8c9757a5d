// expect: safe [options: --memory-safety-check] [judge: none]
// Who frees thread-specific data is the destructor of its key; free itself may be it.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static void *work(void *arg) {
  pthread_setspecific(key, malloc(1));
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, free);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
