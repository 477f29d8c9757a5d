// EXPECT: unsafe
// OPTIONS: --memory-safety-check
#include <pthread.h>
#include <stdlib.h>

int *slot;

void *fill(void *unused) {
  if (!slot)
    slot = malloc(sizeof *slot);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, fill, 0);
  pthread_create(&second, 0, fill, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  free(slot);
  return 0;
}
