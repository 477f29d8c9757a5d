// EXPECT: unsafe
#include <assert.h>
#include <pthread.h>

int next(void) {
  static int last;
  last++;
  return last;
}

void *thread(void *unused) {
  next();
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(next() == 3);
  return 0;
}
