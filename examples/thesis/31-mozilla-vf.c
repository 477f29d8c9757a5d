// EXPECT: safe
// MOZILLA-VF: the fix of an order violation in Mozilla's JavaScript engine; two threads.
// Origin: the bug is in Lu, Park, Seo and Zhou, Learning from mistakes (2008): threads that destroy their script contexts use a
// common table of atoms. All but the last one mark the atoms that they need, and the last one unpins the table. Nothing made the
// last one wait until the others had finished. The fix counts those who are marking.
// Asserted: the two operations happen in the right order: nobody marks atoms in a table that has been unpinned.
// Twin: the bug before the fix.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned contexts = 2; // not yet destroyed; protected by the lock
static unsigned marking;      // threads that are marking or about to; protected by the lock
static _Bool pinned = 1;      // the table of atoms can be used

// Leaves the set of contexts; says whether it was the last one. Others are counted as marking from here on.
static _Bool leave(void) {
  _Bool last;
  pthread_mutex_lock(&lock);
  contexts--;
  last = contexts == 0;
  if (!last)
    marking++;
  pthread_mutex_unlock(&lock);
  return last;
}

static void wait_for_marking(void) {
  _Bool wait;
  do {
    pthread_mutex_lock(&lock);
    wait = marking != 0;
    pthread_mutex_unlock(&lock);
  } while (wait);
}

static void unpin_atoms(void) { pinned = 0; }

static void mark_atoms(void) { assert(pinned); }

static void finish_marking(void) {
  pthread_mutex_lock(&lock);
  marking--;
  pthread_mutex_unlock(&lock);
}

static void destroy_context(void) {
  if (leave()) {
    wait_for_marking();
    unpin_atoms();
  } else {
    mark_atoms();
    finish_marking();
  }
}

static void *thread(void *unused) {
  (void)unused;
  destroy_context();
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  destroy_context();
  return 0;
}
