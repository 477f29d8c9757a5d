// EXPECT: unsafe
// As rounds-turns.c, but main passes the turn on before it has counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "verifier.h"

static atomic_int turn;
static atomic_uint left, right;

static void *count(void *unused) {
  (void)unused;
  while (__VERIFIER_nondet_bool()) {
    while (turn != 1) {
    }
    right++;
    assert(left == right);
    turn = 0;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  while (__VERIFIER_nondet_bool()) {
    while (turn != 0) {
    }
    assert(left == right);
    turn = 1;
    left++;
  }
  return 0;
}
