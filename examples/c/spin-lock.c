// EXPECT: safe
// Any number of threads take a POSIX spin lock.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_spinlock_t lock;
static int inside;

static void *thread(void *unused) {
  pthread_spin_lock(&lock);
  inside++;
  assert(inside == 1);
  inside--;
  pthread_spin_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
