// EXPECT: unsafe
// MOZILLA-VF, buggy twin of 31-mozilla-vf.c: the order violation in Mozilla's JavaScript engine before the fix; two threads.
// The mistake: the thread that destroys the last script context unpins the table of atoms without waiting for the other one,
// which has left the set of contexts but still has to mark its atoms.
// Asserted: the two operations happen in the right order: nobody marks atoms in a table that has been unpinned.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned contexts = 2; // not yet destroyed; protected by the lock
static _Bool pinned = 1;      // the table of atoms can be used

// Leaves the set of contexts; says whether it was the last one.
static _Bool leave(void) {
  _Bool last;
  pthread_mutex_lock(&lock);
  contexts--;
  last = contexts == 0;
  pthread_mutex_unlock(&lock);
  return last;
}

static void unpin_atoms(void) { pinned = 0; }

static void mark_atoms(void) { assert(pinned); }

static void destroy_context(void) {
  if (leave())
    unpin_atoms();
  else
    mark_atoms();
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
