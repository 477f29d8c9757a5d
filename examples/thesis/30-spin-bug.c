// EXPECT: unsafe
// SPIN, buggy twin of 30-spin.c: a flag behind a spin lock; any number of threads.
// The mistake: wrong order, a thread gives the lock back before it resets the flag, which another one may have set meanwhile.
// Asserted: while a thread uses the device, no other thread resets the flag, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static _Bool busy;

static void begin(void) {
  pthread_spin_lock(&lock);
  busy = 1;
}

static void end(void) {
  pthread_spin_unlock(&lock);
  busy = 0;
}

static void use(void) { assert(busy); }

static void *thread(void *unused) {
  (void)unused;
  for (;;) {
    begin();
    use();
    end();
  }
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
