//! requires: __monabs_sxlock
// Locks for one writer or several readers, for the headers of environments. `mine` says whether this thread is the writer. Nobody knows who the readers are, as in
// the kernels. Waiting writers hold up no reader: that only removes waiting, so no run is lost.

struct __monabs_sxlock {
  _Bool writer;
  _Bool destroyed;
  _Bool recursive;
  unsigned readers;
  unsigned depth;
  _Thread_local _Bool mine;
};

// Exact: the lock is free. Nobody may use it at the same time. Who has it for writing must not: a violation.
void __monabs_sx_init(struct __monabs_sxlock *lock, int recursive) {
  __monabs_check("mutex", !lock->mine, "a lock is initialised that this thread holds");
  __monabs_store_flag(&lock->destroyed, 0);
  __CPROVER_atomic_begin();
  lock->writer = 0;
  lock->recursive = recursive != 0;
  lock->readers = 0;
  lock->depth = 0;
  lock->mine = 0;
  __CPROVER_atomic_end();
}

// Exact but for a lock that is held: a violation.
void __monabs_sx_destroy(struct __monabs_sxlock *lock) {
  __CPROVER_atomic_begin();
  __monabs_check("mutex", !lock->writer && lock->readers == 0, "a lock is destroyed that is held");
  __CPROVER_atomic_end();
  __monabs_destroy(&lock->destroyed);
}

// Exact for fewer than 2^32 readers. Who writes must not read: a violation.
void __monabs_sx_read(struct __monabs_sxlock *lock) {
  __monabs_use(&lock->destroyed);
  __CPROVER_atomic_begin();
  __monabs_wait(lock->writer);
  __monabs_check("mutex", !lock->mine, "read lock by the thread that holds the write lock");
  __CPROVER_assume(!lock->writer && lock->readers != (unsigned)-1);
  lock->readers = lock->readers + 1;
  __CPROVER_atomic_end();
}

// Exact: 1 if it was taken. That a writer waits may be a reason to fail; that is possible where there are readers, marked.
int __monabs_sx_try_read(struct __monabs_sxlock *lock) {
  int taken;
  __monabs_use(&lock->destroyed);
  __CPROVER_atomic_begin();
  taken = !lock->writer && lock->readers != (unsigned)-1;
  if (taken) {
    if (lock->readers != 0 && __monabs_nondet_bool()) {
      __monabs_approximate("a writer may be waiting for the lock");
      taken = 0;
    } else {
      lock->readers = lock->readers + 1;
    }
  }
  __CPROVER_atomic_end();
  return taken;
}

// Exact. Who holds it already waits for ever, a violation, unless the lock is recursive.
void __monabs_sx_write(struct __monabs_sxlock *lock) {
  __monabs_use(&lock->destroyed);
  __CPROVER_atomic_begin();
  __monabs_wait((lock->writer || lock->readers != 0) && !(lock->recursive && lock->mine));
  if (lock->recursive && lock->mine) {
    lock->depth = lock->depth + 1;
  } else {
    __monabs_check("mutex", !lock->mine, "double lock: the thread already holds the write lock");
    __CPROVER_assume(!lock->writer && lock->readers == 0);
    lock->writer = 1;
    lock->mine = 1;
  }
  __CPROVER_atomic_end();
}

// Exact: 1 if it was taken.
int __monabs_sx_try_write(struct __monabs_sxlock *lock) {
  int taken = 1;
  __monabs_use(&lock->destroyed);
  __CPROVER_atomic_begin();
  if (lock->recursive && lock->mine) {
    lock->depth = lock->depth + 1;
  } else if (lock->writer || lock->readers != 0) {
    taken = 0;
  } else {
    lock->writer = 1;
    lock->mine = 1;
  }
  __CPROVER_atomic_end();
  return taken;
}

// Exact for a lock that somebody reads; else a violation.
void __monabs_sx_end_read(struct __monabs_sxlock *lock) {
  __monabs_use(&lock->destroyed);
  __CPROVER_atomic_begin();
  __monabs_check("mutex", lock->readers != 0, "unlock of a read lock that nobody holds");
  lock->readers = lock->readers - 1;
  __CPROVER_atomic_end();
}

// Exact for a lock that this thread has for writing; else a violation.
void __monabs_sx_end_write(struct __monabs_sxlock *lock) {
  __monabs_use(&lock->destroyed);
  __CPROVER_atomic_begin();
  __monabs_check("mutex", lock->writer, "unlock of a write lock that nobody holds");
  __monabs_check("mutex", lock->mine, "unlock of a write lock that another thread holds");
  if (lock->depth != 0) {
    lock->depth = lock->depth - 1;
  } else {
    lock->writer = 0;
    lock->mine = 0;
  }
  __CPROVER_atomic_end();
}

// Exact: whichever way it is held.
void __monabs_sx_end(struct __monabs_sxlock *lock) {
  if (lock->mine) {
    __monabs_sx_end_write(lock);
  } else {
    __monabs_sx_end_read(lock);
  }
}

// Exact for a lock that this thread has for writing; else a violation.
void __monabs_sx_downgrade(struct __monabs_sxlock *lock) {
  __monabs_use(&lock->destroyed);
  __CPROVER_atomic_begin();
  __monabs_check("mutex", lock->mine, "downgrade of a write lock that this thread does not hold");
  lock->writer = 0;
  lock->mine = 0;
  lock->readers = 1;
  __CPROVER_atomic_end();
}

// Exact: 1 if there was no other reader. A waiting writer may be a reason to fail, which is possible, marked.
int __monabs_sx_try_upgrade(struct __monabs_sxlock *lock) {
  int done;
  __monabs_use(&lock->destroyed);
  __CPROVER_atomic_begin();
  __monabs_check("mutex", lock->readers != 0, "upgrade of a read lock that nobody holds");
  done = lock->readers == 1;
  if (done && __monabs_nondet_bool()) {
    __monabs_approximate("a writer may be waiting for the lock");
    done = 0;
  }
  if (done) {
    lock->readers = 0;
    lock->writer = 1;
    lock->mine = 1;
  }
  __CPROVER_atomic_end();
  return done;
}

// Exact: whether this thread writes.
int __monabs_sx_mine(struct __monabs_sxlock *lock) {
  return lock->mine;
}

// Exact: whether somebody reads.
int __monabs_sx_is_read(struct __monabs_sxlock *lock) {
  return lock->readers != 0;
}

// Exact: whether somebody writes.
int __monabs_sx_is_written(struct __monabs_sxlock *lock) {
  return lock->writer;
}
