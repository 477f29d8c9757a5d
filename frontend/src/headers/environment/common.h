/* What the headers of all kernels need: steps, waiting, any value, assertions. */
#ifndef __MONABS_COMMON_H
#define __MONABS_COMMON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

extern void __CPROVER_atomic_begin(void);
extern void __CPROVER_atomic_end(void);
extern void __CPROVER_assume(_Bool);
extern void __monabs_assert(_Bool, const char *);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void panic(const char *, ...);

/* A lock for one writer or several readers. Exact but for who holds it: no unlocking by strangers is noticed.
   Waiting writers hold up no reader: that only removes waiting, so no run is lost. */
struct __monabs_shared_lock {
  _Bool writer;
  unsigned readers;
};

static inline void __monabs_shared_init(struct __monabs_shared_lock *lock) {
  lock->writer = 0;
  lock->readers = 0;
}

static inline void __monabs_shared_read(struct __monabs_shared_lock *lock) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(!lock->writer && lock->readers != (unsigned)-1);
  lock->readers = lock->readers + 1;
  __CPROVER_atomic_end();
}

static inline int __monabs_shared_try_read(struct __monabs_shared_lock *lock) {
  int taken;
  __CPROVER_atomic_begin();
  taken = !lock->writer && lock->readers != (unsigned)-1;
  if (taken)
    lock->readers = lock->readers + 1;
  __CPROVER_atomic_end();
  return taken;
}

static inline void __monabs_shared_write(struct __monabs_shared_lock *lock) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(!lock->writer && lock->readers == 0);
  lock->writer = 1;
  __CPROVER_atomic_end();
}

static inline int __monabs_shared_try_write(struct __monabs_shared_lock *lock) {
  int taken;
  __CPROVER_atomic_begin();
  taken = !lock->writer && lock->readers == 0;
  if (taken)
    lock->writer = 1;
  __CPROVER_atomic_end();
  return taken;
}

static inline void __monabs_shared_end_read(struct __monabs_shared_lock *lock) {
  __CPROVER_atomic_begin();
  __monabs_assert(lock->readers != 0, "a read lock is released that is held");
  lock->readers = lock->readers - 1;
  __CPROVER_atomic_end();
}

static inline void __monabs_shared_end_write(struct __monabs_shared_lock *lock) {
  __CPROVER_atomic_begin();
  __monabs_assert(lock->writer, "a write lock is released that is held");
  lock->writer = 0;
  __CPROVER_atomic_end();
}

static inline void __monabs_shared_downgrade(struct __monabs_shared_lock *lock) {
  __CPROVER_atomic_begin();
  __monabs_assert(lock->writer, "a write lock is downgraded that is held");
  lock->writer = 0;
  lock->readers = 1;
  __CPROVER_atomic_end();
}

/* Exact: succeeds if there is no other reader. */
static inline int __monabs_shared_try_upgrade(struct __monabs_shared_lock *lock) {
  int done;
  __CPROVER_atomic_begin();
  __monabs_assert(lock->readers != 0, "a read lock is upgraded that is held");
  done = lock->readers == 1;
  if (done) {
    lock->readers = 0;
    lock->writer = 1;
  }
  __CPROVER_atomic_end();
  return done;
}

/* A counter that is waited for. Exact. */
static inline void __monabs_count_wait(unsigned *count) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(*count != 0);
  *count = *count - 1;
  __CPROVER_atomic_end();
}

static inline int __monabs_count_try(unsigned *count) {
  int taken;
  __CPROVER_atomic_begin();
  taken = *count != 0;
  if (taken)
    *count = *count - 1;
  __CPROVER_atomic_end();
  return taken;
}

static inline void __monabs_count_post(unsigned *count) {
  __CPROVER_atomic_begin();
  *count = *count + 1;
  __CPROVER_atomic_end();
}
#endif
