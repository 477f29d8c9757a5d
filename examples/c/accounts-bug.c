// EXPECT: unsafe
// As accounts.c, but a transfer has one lock at a time: in between the money is nowhere.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static unsigned balance[2] = {100, 100};

static void transfer(void) {
  unsigned amount = __VERIFIER_nondet_uint();
  pthread_mutex_lock(&locks[0]);
  balance[0] -= amount;
  pthread_mutex_unlock(&locks[0]);
  pthread_mutex_lock(&locks[1]);
  balance[1] += amount;
  pthread_mutex_unlock(&locks[1]);
}

static void *audit(void *unused) {
  (void)unused;
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_lock(&locks[1]);
  assert(balance[0] + balance[1] == 200);
  pthread_mutex_unlock(&locks[1]);
  pthread_mutex_unlock(&locks[0]);
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, audit, 0);
  while (__VERIFIER_nondet_bool())
    transfer();
  return 0;
}
