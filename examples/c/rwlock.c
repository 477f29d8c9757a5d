// EXPECT: safe
// Any number of readers and writers. Writers keep two variables equal, and readers see them equal.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int seen = left;
  assert(seen == right);
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void *writer(void *unused) {
  int value = __VERIFIER_nondet_int();
  pthread_rwlock_wrlock(&lock);
  left = value;
  right = value;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool()) {
    pthread_create(&handle, 0, reader, 0);
    pthread_create(&handle, 0, writer, 0);
  }
  return 0;
}
