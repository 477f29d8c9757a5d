/* What the headers of all kernels need: steps, waiting, any value, assertions, and what the models of kernels offer (models/kernel_*.c). */
#ifndef __MONABS_COMMON_H
#define __MONABS_COMMON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

extern void __CPROVER_atomic_begin(void);
extern void __CPROVER_atomic_end(void);
extern void __CPROVER_assume(_Bool);
extern void __monabs_wait(_Bool);
extern void __monabs_assert(_Bool, const char *);
extern void __monabs_approximate(const char *);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void panic(const char *, ...);

/* Threads, and who is who. */
unsigned long __monabs_kernel_thread(void (*)(void *), void *);
unsigned long __monabs_kernel_worker(int (*)(void *), void *);
unsigned long __monabs_current(void);
void __monabs_kernel_exit(void);

/* A lock for one writer or several readers. */
struct __monabs_sxlock {
  int opaque;
};
void __monabs_sx_init(struct __monabs_sxlock *, int);
void __monabs_sx_destroy(struct __monabs_sxlock *);
void __monabs_sx_read(struct __monabs_sxlock *);
int __monabs_sx_try_read(struct __monabs_sxlock *);
void __monabs_sx_write(struct __monabs_sxlock *);
int __monabs_sx_try_write(struct __monabs_sxlock *);
void __monabs_sx_end_read(struct __monabs_sxlock *);
void __monabs_sx_end_write(struct __monabs_sxlock *);
void __monabs_sx_end(struct __monabs_sxlock *);
void __monabs_sx_downgrade(struct __monabs_sxlock *);
int __monabs_sx_try_upgrade(struct __monabs_sxlock *);
int __monabs_sx_mine(struct __monabs_sxlock *);
int __monabs_sx_is_read(struct __monabs_sxlock *);
int __monabs_sx_is_written(struct __monabs_sxlock *);

/* Sleeping on an address. */
void __monabs_sleep_on(const void *);
void __monabs_sleep(void);
_Bool __monabs_sleep_or(void);
void __monabs_wake(const void *);
void __monabs_wake_one(const void *);

/* Calls that are made later, and queues of them. */
struct __monabs_later {
  int opaque;
};
_Bool __monabs_later_arm(struct __monabs_later *);
void __monabs_later_begin(struct __monabs_later *, _Bool);
void __monabs_later_end(struct __monabs_later *);
_Bool __monabs_later_cancel(struct __monabs_later *);
_Bool __monabs_later_drain(struct __monabs_later *);
void __monabs_later_flush(struct __monabs_later *);
void __monabs_later_init(struct __monabs_later *);
_Bool __monabs_later_pending(struct __monabs_later *);
_Bool __monabs_later_running(struct __monabs_later *);
struct __monabs_queue {
  int opaque;
};
void __monabs_queue_init(struct __monabs_queue *);
void __monabs_queue_start(struct __monabs_queue *, unsigned);
void __monabs_queue_put(struct __monabs_queue *);
void __monabs_queue_remove(struct __monabs_queue *);
void __monabs_queue_begin(struct __monabs_queue *);
void __monabs_queue_end(struct __monabs_queue *);
void __monabs_queue_drain(struct __monabs_queue *);

/* A counter that is waited for. Exact. */
static inline void __monabs_count_wait(unsigned *count) {
  __CPROVER_atomic_begin();
  __monabs_wait(*count == 0);
  __CPROVER_assume(*count != 0);
  *count = *count - 1;
  __CPROVER_atomic_end();
}

static inline int __monabs_count_try(unsigned *count) {
  int taken;
  __CPROVER_atomic_begin();
  taken = *count != 0;
  if (taken)
    *count = *count - 1;
  __CPROVER_atomic_end();
  return taken;
}

static inline void __monabs_count_post(unsigned *count) {
  __CPROVER_atomic_begin();
  *count = *count + 1;
  __CPROVER_atomic_end();
}

/* The clock: exact but for its speed. It never goes back, and starts anywhere. */
static unsigned long __monabs_now;
static inline unsigned long __monabs_clock(void) {
  unsigned long now = __VERIFIER_nondet_ulong();
  __CPROVER_atomic_begin();
  __CPROVER_assume((long)(now - __monabs_now) >= 0);
  __monabs_now = now;
  __CPROVER_atomic_end();
  return now;
}

/* Interrupt levels. They keep out interrupt handlers of the same processor only, or of all where a lock around the whole kernel does the rest; here they keep out
   nobody, marked. */
static inline int __monabs_spl(void) {
  __monabs_approximate("interrupt levels keep nobody out");
  return 0;
}
#endif
