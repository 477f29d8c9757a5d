// expect: safe, must [judge: none]
// Each thread has the address of an element of its own.
#include <assert.h>
#include <stdlib.h>
#include <pthread.h>
static void *twice(void *given) {
  *(int *)given *= 2;
  return 0;
}
int main(void) {
  int numbers[3];
  pthread_t t[3];
  for (int i = 0; i < 3; i++) {
    numbers[i] = i + 1;
    pthread_create(&t[i], 0, twice, &numbers[i]);
  }
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(numbers[0] == 2 && numbers[1] == 4 && numbers[2] == 6);
  return 0;
}
