// expect: safe, must [judge: none]
// Threads are waited for in another order, by a loop that counts down.
#include <assert.h>
#include <stdlib.h>
#include <pthread.h>
static _Atomic int sum;
static void *add(void *given) {
  sum += *(int *)given;
  free(given);
  return 0;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 1 << i;
    pthread_create(&t[i], 0, add, p);
  }
  for (int i = 3; i >= 0; i--) pthread_join(t[i], 0);
  assert(sum == 15);
  return 0;
}
