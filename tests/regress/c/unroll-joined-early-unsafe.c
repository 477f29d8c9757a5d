// expect: unsafe, must [judge: none]
// A thread that is joined in one round is not there in the next one.
#include <assert.h>
#include <stdlib.h>
#include <pthread.h>
static int value;
static void *set(void *given) {
  value = (int)(long)given;
  return 0;
}
int main(void) {
  for (int i = 1; i <= 3; i++) {
    pthread_t t;
    pthread_create(&t, 0, set, (void *)(long)i);
    if (i < 3) pthread_join(t, 0);
    assert(value == i);
  }
  return 0;
}
