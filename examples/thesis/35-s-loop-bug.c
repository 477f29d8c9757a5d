// EXPECT: unsafe
// S-LOOP, buggy twin of 35-s-loop.c: shared numbers are exchanged in loops; any number of threads.
// The mistake: a missing lock, the displays exchange without the mutex. Another thread may end its exchange in between and
// leave the shared variable naming no buffer.
// Asserted: a buffer that is shown exists, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

enum { BUFFERS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned drawn = 0, ready = 1, shown = 2; // protected by the mutex, as the next one is
static unsigned exchanged = BUFFERS;             // BUFFERS: none

static void finish_drawing(void) {
  exchanged = drawn;
  drawn = ready;
  ready = exchanged;
  exchanged = BUFFERS;
}

static void show(void) {
  exchanged = ready;
  ready = shown;
  shown = exchanged;
  assert(shown < BUFFERS);
  exchanged = BUFFERS;
}

static void *painter(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&mutex);
    finish_drawing();
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void *display(void *unused) {
  (void)unused;
  for (;;)
    show();
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&handle, 0, painter, 0);
    else
      pthread_create(&handle, 0, display, 0);
  }
  return 0;
}
