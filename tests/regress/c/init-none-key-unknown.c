// expect: unknown, must [judge: none]
// A key that nobody created must not be used.
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

int main(void) {
  pthread_setspecific(key, &key);
  assert(pthread_getspecific(key) == &key);
  return 0;
}
