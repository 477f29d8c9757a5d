//! requires: time clock clock_gettime clock_getres clock_settime gettimeofday settimeofday
//! accesses: user
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
  long now = __monabs_nondet_long();
  if (result != 0) {
    *result = now;
  }
  return now;
}

// Over-approximated: any time.
long clock(void) {
  return __monabs_nondet_long();
}

// Over-approximated: any time.
int clock_gettime(int clock, struct timespec *result) {
  long fraction = __monabs_nondet_long();
  __CPROVER_assume(fraction >= 0 && fraction < 1000000000l);
  result->tv_sec = __monabs_nondet_long();
  result->tv_nsec = fraction;
  return 0;
}

// Over-approximated: any time.
int gettimeofday(struct timeval *result, void *zone) {
  long fraction = __monabs_nondet_long();
  __CPROVER_assume(fraction >= 0 && fraction < 1000000l);
  result->tv_sec = __monabs_nondet_long();
  result->tv_usec = fraction;
  return 0;
}

// Over-approximated: any precision.
int clock_getres(int clock, struct timespec *result) {
  return result == 0 ? 0 : clock_gettime(clock, result);
}

// Exact: 0, or -1 with an error; clocks show any time afterwards, too.
int clock_settime(int clock, const struct timespec *time) {
  return __monabs_status();
}

// Exact: see clock_settime.
int settimeofday(const struct timeval *time, const void *zone) {
  return __monabs_status();
}
