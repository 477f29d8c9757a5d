// EXPECT: safe
// Two accounts, each with its own mutex. Transfers take both, always in the same order, so that the sum never changes for who
// holds both. Unsigned numbers wrap around, and the sum does so, too. With any number of threads.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

struct account {
  pthread_mutex_t mutex;
  unsigned balance;
};

static struct account here = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account there = {PTHREAD_MUTEX_INITIALIZER, 50};

static void transfer(struct account *from, struct account *to, unsigned amount) {
  from->balance -= amount;
  to->balance += amount;
}

static void *thread(void *unused) {
  unsigned amount = __VERIFIER_nondet_uint();
  pthread_mutex_lock(&here.mutex);
  pthread_mutex_lock(&there.mutex);
  transfer(&here, &there, amount);
  assert(here.balance + there.balance == 150);
  pthread_mutex_unlock(&there.mutex);
  pthread_mutex_unlock(&here.mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
