//! requires: time clock clock_gettime gettimeofday
// Clocks. Over-approximated: they show any time, also an earlier one than before.

struct timespec {
  long tv_sec;
  long tv_nsec;
};

struct timeval {
  long tv_sec;
  long tv_usec;
};

// Over-approximated: any time.
long time(long *result) {
  long now = __VERIFIER_nondet_long();
  if (result != 0) {
    *result = now;
  }
  return now;
}

// Over-approximated: any time.
long clock(void) {
  return __VERIFIER_nondet_long();
}

// Over-approximated: any time.
int clock_gettime(int clock, struct timespec *result) {
  long fraction = __VERIFIER_nondet_long();
  __CPROVER_assume(fraction >= 0 && fraction < 1000000000l);
  result->tv_sec = __VERIFIER_nondet_long();
  result->tv_nsec = fraction;
  return 0;
}

// Over-approximated: any time.
int gettimeofday(struct timeval *result, void *zone) {
  long fraction = __VERIFIER_nondet_long();
  __CPROVER_assume(fraction >= 0 && fraction < 1000000l);
  result->tv_sec = __VERIFIER_nondet_long();
  result->tv_usec = fraction;
  return 0;
}
