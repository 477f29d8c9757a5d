// expect: safe, must [options: --strict] [judge: none]
// That a mutex can be initialised is assumed where the program looks at the result.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock;

int main(void) {
  (void)pthread_mutex_init(&lock, 0);
  return 0;
}
