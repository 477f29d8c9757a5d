// EXPECT: unsafe
// OPTIONS: --memory-safety-check
#include <pthread.h>

int cell;
int *where = &cell;

void *user(void *unused) {
  if (where)
    *where = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, user, 0);
  where = 0;
  pthread_join(thread, 0);
  return 0;
}
