//! requires: time clock clock_gettime clock_getres clock_settime gettimeofday settimeofday
//! accesses: user
// Clocks. They show any time, and an earlier one than before where they can be set.

struct timespec {
  long tv_sec;
  long tv_nsec;
};

struct timeval {
  long tv_sec;
  long tv_usec;
};

// Exact: any time, because the clock can be set.
long time(long *result) {
  long now = __monabs_nondet_long();
  if (result != 0) {
    *result = now;
  }
  return now;
}

// Over-approximated: any time, also an earlier one than before.
long clock(void) {
  return __monabs_guess_long("the time that a program has taken");
}

static long __monabs_clock_seconds;
static long __monabs_clock_nanoseconds;

// Exact for CLOCK_REALTIME (0), which can be set to any time, and for CLOCK_MONOTONIC (1), which never goes backwards. Over-approximated
// for others: any time. From 16 on there are none: 22 is EINVAL.
int clock_gettime(int clock, struct timespec *result) {
  long seconds = __monabs_nondet_long();
  long fraction = __monabs_nondet_long();
  if (clock >= 16) {
    __monabs_errno = 22;
    return -1;
  }
  if (clock < 0 || clock > 1) {
    __monabs_approximate("the time of a clock is any");
    if ((clock < 0 || clock > 7) && __monabs_nondet_bool()) {
      __monabs_errno = 22;
      return -1;
    }
  }
  __CPROVER_assume(fraction >= 0 && fraction < 1000000000l);
  if (clock == 1) {
    __CPROVER_atomic_begin();
    __CPROVER_assume(seconds > __monabs_clock_seconds ||
                     (seconds == __monabs_clock_seconds && fraction >= __monabs_clock_nanoseconds));
    __monabs_clock_seconds = seconds;
    __monabs_clock_nanoseconds = fraction;
    __CPROVER_atomic_end();
  }
  result->tv_sec = seconds;
  result->tv_nsec = fraction;
  return 0;
}

// Exact: any time, because the clock can be set.
int gettimeofday(struct timeval *result, void *zone) {
  long fraction = __monabs_nondet_long();
  __CPROVER_assume(fraction >= 0 && fraction < 1000000l);
  result->tv_sec = __monabs_nondet_long();
  result->tv_usec = fraction;
  return 0;
}

// Over-approximated: any precision.
int clock_getres(int clock, struct timespec *result) {
  struct timespec unused;
  __monabs_approximate("the precision of a clock is any");
  return clock_gettime(clock == 1 ? 2 : clock, result == 0 ? &unused : result);
}

// Exact: 0, or -1 with an error; clocks show any time afterwards, too.
int clock_settime(int clock, const struct timespec *time) {
  return __monabs_status();
}

// Exact: see clock_settime.
int settimeofday(const struct timeval *time, const void *zone) {
  return __monabs_status();
}
