// EXPECT: unsafe
// OPTIONS: --deadlock-check
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int done;

void *one(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  done++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

void *two(void *unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  done++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
