// EXPECT: unsafe
// OPTIONS: --memory-safety-check
#include <pthread.h>
#include <stdlib.h>

int *block;

void *drop(void *unused) {
  if (block) {
    free(block);
    block = 0;
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  block = malloc(sizeof *block);
  pthread_create(&first, 0, drop, 0);
  pthread_create(&second, 0, drop, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
