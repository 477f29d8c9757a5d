// Functions that only take time. A thread may rest anywhere for as long as it likes, and may be overtaken anywhere, so
// they do nothing.

// Exact.
int sched_yield(void) {
  return 0;
}

// Exact.
int pthread_yield(void) {
  return 0;
}

// Exact: there are no signals to interrupt it.
unsigned sleep(unsigned seconds) {
  __monabs_cancellation_point();
  return 0;
}

// Exact: there are no signals to interrupt it.
int usleep(unsigned microseconds) {
  __monabs_cancellation_point();
  return 0;
}

// Exact: there are no signals to interrupt it. 22 is EINVAL.
int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  __monabs_cancellation_point();
  if (!__monabs_is_time(duration)) {
    __monabs_errno = 22;
    return -1;
  }
  return 0;
}

// Exact for clocks that there are: there are no signals to interrupt it. 22 is EINVAL.
int clock_nanosleep(int clock, int flags, const struct timespec *time, struct timespec *remaining) {
  __monabs_cancellation_point();
  return __monabs_is_time(time) ? 0 : 22;
}

// POSIX' pause without parameters waits for a signal, and then ends only if there is a handler: over-approximated, returns at any time. So are pauses of back-off
// loops and the kernel's, with parameters: they take time.
int pause() {
  __monabs_approximate("pause does not wait for a signal");
  return -1;
}

// Exact: Linux, gives up the processor.
void schedule(void) {
}

// Exact: Linux, sleeps until woken or for some time; says how much of it is left.
long schedule_timeout(long timeout) {
  long rest = __monabs_nondet_long();
  __CPROVER_assume(rest >= 0 && (timeout < 0 || rest <= timeout));
  return rest;
}

// Exact: Linux, gives up the processor.
int cond_resched(void) {
  return __monabs_nondet_bool();
}

// Exact: Linux, a hint to the processor in a loop that waits.
void cpu_relax(void) {
}

// Exact: FreeBSD's name for cpu_relax.
void cpu_spinwait(void) {
}

// Exact: Linux, takes time.
void udelay(unsigned long microseconds) {
}

// Exact: Linux, takes time.
void ndelay(unsigned long nanoseconds) {
}

// Exact: Linux, takes time.
void mdelay(unsigned long milliseconds) {
}

// Exact: FreeBSD, takes time.
void DELAY(int microseconds) {
}
