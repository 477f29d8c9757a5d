// EXPECT: safe
// SPIN: a flag behind a spin lock; any number of threads.
// Origin: after the example of Flanagan and Qadeer, Thread-modular model checking (2003): each thread can be proved alone, with
// only what the lock says about the others.
// Each thread marks a device as busy, uses it and marks it as idle, and all of that with the lock.
// Asserted: while a thread uses the device, no other thread resets the flag.
// Twin: the flag is reset after the lock has been given back.
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
  busy = 0;
  pthread_spin_unlock(&lock);
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
