// expect: safe, must [judge: none]
// A key is used after it was deleted.
#include <pthread.h>

int main(void) {
  pthread_key_t key;
  pthread_key_create(&key, 0);
  pthread_setspecific(key, &key);
  ;
  pthread_getspecific(key);
  pthread_key_delete(key);
  return 0;
}
