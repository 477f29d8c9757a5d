// EXPECT: unsafe
// OPTIONS: --error-label ERROR
#include <pthread.h>

int counter;

void *increment(void *unused) {
  int mine = counter;
  counter = mine + 1;
  if (counter != mine + 1)
    goto ERROR;
  return 0;
ERROR: return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, increment, 0);
  pthread_create(&second, 0, increment, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
