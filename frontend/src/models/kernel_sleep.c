//! requires: __monabs_sleep_on
// Sleeping on an address (msleep, tsleep), for the headers of environments. Each thread has the address that it sleeps on. No thread wakes up by itself.
//
// wakeup_one wakes at most one: it leaves the address for one of the sleepers to take, and goes on when one has. Nobody falls asleep in
// between, so whoever takes it slept already. To wake nobody is possible, too, and not too few: a thread that was woken and does not move looks like one that still
// sleeps, and one that gives up later may have given up before.

static _Thread_local const void *__monabs_channel;
static _Thread_local _Bool __monabs_sleeping;
// What somebody is woken on who has not woken up yet.
static const void *__monabs_wanted;

// Exact: this thread sleeps from now on; no answer about deadlocks. In one atomic section with the release of a lock.
void __monabs_sleep_on(const void *channel) {
  if (__monabs_deadlocks()) {
    __monabs_limit("who waits for ever on an address is not known");
  }
  __CPROVER_atomic_begin();
  __CPROVER_assume(__monabs_wanted == 0);
  __monabs_channel = channel;
  __monabs_sleeping = 1;
  __CPROVER_atomic_end();
}

// Exact: waits until somebody has woken this thread.
void __monabs_sleep(void) {
  __CPROVER_atomic_begin();
  if (__monabs_sleeping) {
    __CPROVER_assume(__monabs_wanted != 0 && __monabs_wanted == __monabs_channel);
    __monabs_wanted = 0;
    __monabs_sleeping = 0;
  }
  __CPROVER_atomic_end();
}

// Exact up to the clock and to signals: like __monabs_sleep, or gives up at any time. Says whether it was woken.
_Bool __monabs_sleep_or(void) {
  if (__monabs_nondet_bool()) {
    __monabs_sleeping = 0;
    return 0;
  }
  __monabs_sleep();
  return 1;
}

// Exact: wakes all who sleep on the address.
void __monabs_wake(const void *channel) {
__CPROVER_passive_broadcast:
  __monabs_sleeping = __CPROVER_passive(__monabs_sleeping) && __CPROVER_passive(__monabs_channel) != channel;
}

// Exact: wakes one who sleeps on the address, or nobody; see above.
void __monabs_wake_one(const void *channel) {
  if (__monabs_nondet_bool()) {
    __CPROVER_atomic_begin();
    __CPROVER_assume(__monabs_wanted == 0);
    __monabs_wanted = channel;
    __CPROVER_atomic_end();
    __CPROVER_assume(__monabs_wanted == 0);
  }
}
