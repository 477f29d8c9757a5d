// EXPECT: unsafe
// OPTIONS: --error-label BAD
#include <pthread.h>

int counter;

void *increment(void *unused) {
  counter++;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, increment, 0);
  counter++;
  pthread_join(thread, 0);
  if (counter != 2) {
  BAD:
    return 1;
  }
  return 0;
}
