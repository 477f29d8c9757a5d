// EXPECT: unsafe
// TIMED-MUTEX, buggy twin of 24-timed-mutex.c: which of two mutexes protects a disk block depends on the time.
// The mistake: the block is marked busy without the mutex that protects it until then. The other thread may just have found it
// free, and clears it while the first one believes that it owns it.
// Asserted: mutual exclusion for the block, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool m_inode, m_busy; // the mutexes
static _Bool inode;                 // the inode has the block; protected by m_inode
static _Bool busy;                  // the block is not free; protected by m_busy
static int block;                   // protected by m_busy while it is free, else by m_inode

static void acquire(atomic_bool *mutex) {
  while (atomic_exchange(mutex, 1)) {
  }
}

static void release(atomic_bool *mutex) { atomic_store(mutex, 0); }

static void mark_busy(void) { busy = 1; }

// Allocates the block for the inode unless it has it already, and writes it.
static void allocate(void) {
  acquire(&m_inode);
  if (!inode) {
    mark_busy();
    inode = 1;
  }
  block = 1;
  assert(block == 1);
  release(&m_inode);
}

// Clears the block if it is free.
static void clear(void) {
  acquire(&m_busy);
  if (!busy) {
    block = 0;
    assert(block == 0);
  }
  release(&m_busy);
}

static void *cleaner(void *unused) {
  (void)unused;
  while (__VERIFIER_nondet_bool())
    clear();
  return 0;
}

int main(void) {
  pthread_t handle;
  // The block may be in use from the start.
  inode = __VERIFIER_nondet_bool();
  busy = inode;
  pthread_create(&handle, 0, cleaner, 0);
  while (__VERIFIER_nondet_bool())
    allocate();
  return 0;
}
