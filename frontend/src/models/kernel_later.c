//! requires: __monabs_later
// Calls that are made later, by threads of their own: callouts, timers, tasks, works, for the headers of environments. Arming makes such a thread, which waits until
// the call is due, that is, until any time at which it is pending, and makes it. A call that is stopped leaves its thread waiting; it makes
// the call if it is armed again, which is what the new thread would do. The memory of the record must live as long as the call runs.

struct __monabs_later {
  _Bool pending;
  unsigned running;
};

// Exact, but no answer about deadlocks: from now on the call is to be made. Says whether it already was; otherwise the caller makes the thread.
_Bool __monabs_later_arm(struct __monabs_later *later) {
  _Bool before;
  if (__monabs_deadlocks()) {
    __monabs_limit("who waits for ever for a call that is made later is not known");
  }
  __CPROVER_atomic_begin();
  before = later->pending;
  later->pending = 1;
  __CPROVER_atomic_end();
  return before;
}

// Exact: the time has come. One call at a time if `alone`.
void __monabs_later_begin(struct __monabs_later *later, _Bool alone) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(later->pending && (!alone || later->running == 0));
  later->pending = 0;
  later->running = later->running + 1;
  __CPROVER_atomic_end();
}

// Exact: the call has returned.
void __monabs_later_end(struct __monabs_later *later) {
  __CPROVER_atomic_begin();
  later->running = later->running - 1;
  __CPROVER_atomic_end();
}

// Exact: the call is not to be made any more. Says whether it was to be made.
_Bool __monabs_later_cancel(struct __monabs_later *later) {
  _Bool before;
  __CPROVER_atomic_begin();
  before = later->pending;
  later->pending = 0;
  __CPROVER_atomic_end();
  return before;
}

// Exact: likewise, and waits until it is not being made. Who does that in the call itself waits for ever.
_Bool __monabs_later_drain(struct __monabs_later *later) {
  _Bool before = __monabs_later_cancel(later);
  __CPROVER_atomic_begin();
  __monabs_wait(later->running != 0);
  __CPROVER_assume(later->running == 0);
  __CPROVER_atomic_end();
  return before;
}

// Exact: waits until it is neither pending nor being made.
void __monabs_later_flush(struct __monabs_later *later) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(!later->pending && later->running == 0);
  __CPROVER_atomic_end();
}

// Exact: no call is to be made. Nobody may use the record at the same time.
void __monabs_later_init(struct __monabs_later *later) {
  __CPROVER_atomic_begin();
  later->pending = 0;
  later->running = 0;
  __CPROVER_atomic_end();
}

// Exact.
_Bool __monabs_later_pending(struct __monabs_later *later) {
  return later->pending;
}

// Exact.
_Bool __monabs_later_running(struct __monabs_later *later) {
  return later->running != 0;
}

// Threads that make calls for a queue: so many at a time. The order in which calls were queued is not kept: where two wait, to take one of them is marked.
struct __monabs_queue {
  // All zero is a queue with one thread: those that the system has. `more` are the other threads; `closed` has none at all yet.
  _Bool closed;
  unsigned more;
  unsigned busy;
  unsigned waiting;
};

// Exact: a queue with nothing in it and no threads.
void __monabs_queue_init(struct __monabs_queue *queue) {
  __CPROVER_atomic_begin();
  queue->closed = 1;
  queue->more = 0;
  queue->busy = 0;
  queue->waiting = 0;
  __CPROVER_atomic_end();
}

// Exact: from now on the queue has so many threads, at least one.
void __monabs_queue_start(struct __monabs_queue *queue, unsigned threads) {
  __CPROVER_atomic_begin();
  queue->closed = 0;
  queue->more = threads - 1;
  __CPROVER_atomic_end();
}

// Exact: one more call waits.
void __monabs_queue_put(struct __monabs_queue *queue) {
  if (__monabs_deadlocks()) {
    __monabs_limit("who waits for ever for a queue of calls is not known");
  }
  __CPROVER_atomic_begin();
  queue->waiting = queue->waiting + 1;
  __CPROVER_atomic_end();
}

// Exact: one that waited does not any more.
void __monabs_queue_remove(struct __monabs_queue *queue) {
  __CPROVER_atomic_begin();
  queue->waiting = queue->waiting - 1;
  __CPROVER_atomic_end();
}

// Exact if only one waits: a thread of the queue begins with the call. Inside of the atomic section that finds the call.
void __monabs_queue_begin(struct __monabs_queue *queue) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(!queue->closed && queue->busy <= queue->more);
  if (queue->waiting > 1) {
    __monabs_approximate("calls of a queue are made in another order");
  }
  queue->waiting = queue->waiting - 1;
  queue->busy = queue->busy + 1;
  __CPROVER_atomic_end();
}

// Exact: a thread of the queue is free again.
void __monabs_queue_end(struct __monabs_queue *queue) {
  __CPROVER_atomic_begin();
  queue->busy = queue->busy - 1;
  __CPROVER_atomic_end();
}

// Exact: waits until nothing waits and nothing is being made.
void __monabs_queue_drain(struct __monabs_queue *queue) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(queue->busy == 0 && queue->waiting == 0);
  __CPROVER_atomic_end();
}
