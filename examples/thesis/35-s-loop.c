// EXPECT: safe
// S-LOOP: shared numbers are exchanged in loops with a mutex; any number of threads.
// Origin: the thesis' simple loop among its programs with POSIX threads (Kaiser, Kroening and Wahl, Efficient coverability
// analysis by proof minimization, 2012).
// Triple buffering: three buffers, one of which is drawn, one is ready and one is shown. Painters exchange the first two, displays
// the last two, through a shared variable, which names no buffer when it is not used.
// Asserted: a shared number that several functions change remains in its range: a buffer that is shown exists.
// Twin: the displays do not take the mutex.
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
  for (;;) {
    pthread_mutex_lock(&mutex);
    show();
    pthread_mutex_unlock(&mutex);
  }
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
