//! requires: _sema_post
//! unless-defined: _sema_post _sema_wait
// Counting semaphores of the FreeBSD kernel. Its own file of them brings its own struct.

struct sema {
  int sema_value;
};

// Exact.
void sema_init(struct sema *sema, int value, const char *description) {
  __monabs_check("assertion", value >= 0, "sema_init with a negative value");
  sema->sema_value = value;
}

// Exact; use after it is not checked.
void sema_destroy(struct sema *sema) {
}

// Exact.
void _sema_post(struct sema *sema, const char *file, int line) {
  __CPROVER_atomic_begin();
  sema->sema_value = sema->sema_value + 1;
  __CPROVER_atomic_end();
}

// Exact.
void _sema_wait(struct sema *sema, const char *file, int line) {
  __CPROVER_atomic_begin();
  __monabs_wait(sema->sema_value == 0);
  __CPROVER_assume(sema->sema_value != 0);
  sema->sema_value = sema->sema_value - 1;
  __CPROVER_atomic_end();
}

// Exact up to the clock: 35 (EWOULDBLOCK) is possible if it was zero on entry.
int _sema_timedwait(struct sema *sema, int ticks, const char *file, int line) {
  int result = 0;
  __CPROVER_atomic_begin();
  if (sema->sema_value == 0 && __monabs_nondet_bool()) {
    result = 35;
  } else {
    __CPROVER_assume(sema->sema_value != 0);
    sema->sema_value = sema->sema_value - 1;
  }
  __CPROVER_atomic_end();
  return result;
}

// Exact: 1 if it was taken.
int _sema_trywait(struct sema *sema, const char *file, int line) {
  int taken;
  __CPROVER_atomic_begin();
  taken = sema->sema_value > 0;
  if (taken) {
    sema->sema_value = sema->sema_value - 1;
  }
  __CPROVER_atomic_end();
  return taken;
}

// Exact.
int sema_value(struct sema *sema) {
  return sema->sema_value;
}
