// Deadlocks: no thread can move, and one of them waits. Nothing of this is there unless somebody looks for them.
//
// A thread that has to wait (__monabs_wait) may give up: a guess that it waits there for ever. Who has given up does nothing more. When every
// thread has given up or ended, nothing changes any more, and each that gave up says whether what it waits for is still missing. If all
// of them say so, it is a deadlock: the last one violates the property. So a deadlock is found if and only if there is one, and to find it means to
// reach a place, as for all other properties.
//
// A thread that is stuck in any other way (at an assumption, at the end of the process) counts as moving for ever: such runs are no deadlocks.

// Threads that were created and have neither ended nor given up. Small numbers are much less work; creation sees to it that they suffice.
static unsigned char __monabs_moving = 1;
// Threads that have given up, and have not said yet that they wait.
static unsigned char __monabs_stuck;

static void __monabs_thread_leaves(void) {
  if (__monabs_deadlocks()) {
    __CPROVER_atomic_begin();
    __monabs_moving = __monabs_moving - 1;
    __CPROVER_atomic_end();
  }
}

static void __monabs_give_up(void) {
  __CPROVER_atomic_begin();
  __monabs_moving = __monabs_moving - 1;
  __monabs_stuck = __monabs_stuck + 1;
  __CPROVER_atomic_end();
}

// In an atomic section of the thread that waits.
static void __monabs_waits_for_ever(void) {
  __CPROVER_assume(__monabs_moving == 0);
  __monabs_check("deadlock", __monabs_stuck != 1, "deadlock: no thread can move");
  __monabs_stuck = __monabs_stuck - 1;
}
