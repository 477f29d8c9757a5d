// expect: safe, must [judge: none]
// A lock is used after it was destroyed, or initialised again in between.
#include <pthread.h>

pthread_spinlock_t lock;

int main(void) {
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  pthread_spin_destroy(&lock);
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  pthread_spin_destroy(&lock);
  return 0;
}
