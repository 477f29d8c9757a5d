// EXPECT: unsafe
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int made, used;

void make(void) { made = 1; }

void *thread(void *unused) {
  pthread_once(&once, make);
  used = used + made;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(used == 2);
  return 0;
}
