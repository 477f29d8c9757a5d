// Which thread is which. A thread's handle is a number of its own above all addresses, drawn from a counter. Where threads are joined, see join.c.

typedef unsigned long pthread_t;

// The handle of this thread: this one in main, and __monabs_spawn sets it in others. Nobody else writes it.
static _Thread_local unsigned long __monabs_self = (unsigned long)-1 / 2 + 1;
static unsigned long __monabs_identities;
// Handlers that this thread has registered with pthread_cleanup_push and not yet removed.
static _Thread_local unsigned __monabs_handlers;

// Exact as long as a program creates fewer threads than there are numbers, which no real machine can reach.
static unsigned long __monabs_new_identity(void) {
  unsigned long identity;
  __CPROVER_atomic_begin();
  __monabs_identities = __monabs_identities + 1;
  identity = (unsigned long)-1 / 2 + 1 + __monabs_identities;
  __CPROVER_atomic_end();
  return identity;
}

// What join.c knows about a thread: the handle is its address, but that of the initial thread.
struct __monabs_thread {
  _Bool finished;
  _Bool cancelled;
  _Bool joined;
  _Bool detached;
  void *result;
};

// Says that nobody waits for the thread, see join.c and detach_again.c.
static void __monabs_detach(unsigned long thread);

// The thread that a handle means, see detached.c.
static unsigned long __monabs_meant(unsigned long thread);
