/* What the kernel of NetBSD does later: callouts, works, soft interrupts, each call by a thread of its own (models/kernel_later.c); and the shapes of devices.
   A callback must not free its own record. */
#ifndef __MONABS_NETBSD_LATER_H
#define __MONABS_NETBSD_LATER_H

/* Callouts: exact up to the clock. Two processors may run the same callout at once, if it is set again while it runs. */
typedef struct callout {
  struct __monabs_later later;
  _Bool fired;
  _Bool invoking;
  void (*function)(void *);
  void *argument;
} callout_t;
#define CALLOUT_MPSAFE 0x0100
static inline void callout_init(callout_t *callout, unsigned flags) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&callout->later);
  callout->fired = 0;
  callout->invoking = 0;
  callout->function = 0;
  __CPROVER_atomic_end();
}
static inline void callout_setfunc(callout_t *callout, void (*function)(void *), void *argument) {
  __CPROVER_atomic_begin();
  callout->function = function;
  callout->argument = argument;
  __CPROVER_atomic_end();
}
static inline void __monabs_callout_run(void *record) {
  callout_t *callout = record;
  void (*function)(void *);
  void *argument;
  __CPROVER_atomic_begin();
  __monabs_later_begin(&callout->later, 0);
  callout->fired = 1;
  callout->invoking = 1;
  function = callout->function;
  argument = callout->argument;
  __CPROVER_atomic_end();
  function(argument);
  __monabs_later_end(&callout->later);
}
static inline void __monabs_callout_schedule(callout_t *callout) {
  __CPROVER_atomic_begin();
  callout->fired = 0;
  callout->invoking = 0;
  __monabs_later_arm(&callout->later);
  __CPROVER_atomic_end();
  __monabs_kernel_thread(__monabs_callout_run, callout);
}
#define callout_schedule(callout, ticks) ((void)(ticks), __monabs_callout_schedule(callout))
#define callout_reset(callout, ticks, function, argument) \
  ((void)(ticks), callout_setfunc((callout), (function), (argument)), __monabs_callout_schedule(callout))
/* Whether it had fired. It may still run. */
static inline bool callout_stop(callout_t *callout) {
  bool fired;
  __CPROVER_atomic_begin();
  __monabs_later_cancel(&callout->later);
  fired = callout->fired;
  callout->fired = 0;
  __CPROVER_atomic_end();
  return fired;
}
/* Likewise, and waits until it does not run. The mutex is given up while it waits. */
static inline bool callout_halt(callout_t *callout, void *mutex) {
  bool fired = callout_stop(callout);
  if (__monabs_later_running(&callout->later)) {
    if (mutex)
      mutex_exit(mutex);
    __monabs_later_drain(&callout->later);
    if (mutex)
      mutex_enter(mutex);
  }
  return fired;
}
static inline void callout_destroy(callout_t *callout) {
  __monabs_assert(!__monabs_later_pending(&callout->later) && !__monabs_later_running(&callout->later), "callout_destroy of a callout that is neither set nor running");
}
#define callout_pending(callout) ((bool)__monabs_later_pending(&(callout)->later))
#define callout_expired(callout) ((bool)(callout)->fired)
#define callout_invoking(callout) ((bool)(callout)->invoking)
#define callout_active(callout) ((bool)(__monabs_later_pending(&(callout)->later) || (callout)->fired))
#define callout_ack(callout) ((void)((callout)->invoking = 0))

/* Works: exact but for their order. A work must not be queued twice. The function gets the work, which it may queue again or free. */
struct work {
  _Bool queued;
};
struct workqueue {
  struct __monabs_queue queue;
  void (*function)(struct work *, void *);
  void *argument;
};
struct __monabs_queued_work {
  struct workqueue *queue;
  struct work *work;
};
#define WQ_MPSAFE 1
#define WQ_PERCPU 2
static inline int __monabs_workqueue_create(struct workqueue **result, void (*function)(struct work *, void *), void *argument, int flags) {
  struct workqueue *queue = malloc(sizeof(struct workqueue));
  __monabs_queue_init(&queue->queue);
  __monabs_queue_start(&queue->queue, flags & WQ_PERCPU ? (unsigned)-1 : 1);
  queue->function = function;
  queue->argument = argument;
  *result = queue;
  return 0;
}
#define workqueue_create(result, name, function, argument, priority, level, flags) __monabs_workqueue_create((result), (function), (argument), (flags))
static inline void __monabs_work_run(void *record) {
  struct __monabs_queued_work *queued = record;
  struct workqueue *queue = queued->queue;
  struct work *work = queued->work;
  free(queued);
  __CPROVER_atomic_begin();
  __monabs_queue_begin(&queue->queue);
  work->queued = 0;
  __CPROVER_atomic_end();
  queue->function(work, queue->argument);
  __monabs_queue_end(&queue->queue);
}
static inline void workqueue_enqueue(struct workqueue *queue, struct work *work, struct cpu_info *cpu) {
  struct __monabs_queued_work *queued = malloc(sizeof(struct __monabs_queued_work));
  queued->queue = queue;
  queued->work = work;
  __CPROVER_atomic_begin();
  __monabs_queue_put(&queue->queue);
  work->queued = 1;
  __CPROVER_atomic_end();
  __monabs_kernel_thread(__monabs_work_run, queued);
}
#define workqueue_wait(workqueue, w) __monabs_queue_drain(&(workqueue)->queue)
#define workqueue_destroy(workqueue) (__monabs_queue_drain(&(workqueue)->queue), free(workqueue))

/* Soft interrupts: exact up to priorities. One that is scheduled already is not scheduled again; it is never run by two threads at once. */
struct __monabs_softint {
  struct __monabs_later later;
  void (*function)(void *);
  void *argument;
};
#define SOFTINT_CLOCK 0
#define SOFTINT_BIO 1
#define SOFTINT_NET 2
#define SOFTINT_SERIAL 3
#define SOFTINT_MPSAFE 0x100
static inline void *softint_establish(unsigned flags, void (*function)(void *), void *argument) {
  struct __monabs_softint *interrupt = malloc(sizeof(struct __monabs_softint));
  __monabs_later_init(&interrupt->later);
  interrupt->function = function;
  interrupt->argument = argument;
  return interrupt;
}
static inline void __monabs_softint_run(void *record) {
  struct __monabs_softint *interrupt = record;
  __monabs_later_begin(&interrupt->later, 1);
  interrupt->function(interrupt->argument);
  __monabs_later_end(&interrupt->later);
}
static inline void softint_schedule(void *record) {
  struct __monabs_softint *interrupt = record;
  if (!__monabs_later_arm(&interrupt->later))
    __monabs_kernel_thread(__monabs_softint_run, interrupt);
}
static inline void softint_disestablish(void *record) {
  struct __monabs_softint *interrupt = record;
  __monabs_later_flush(&interrupt->later);
  free(interrupt);
}

/* Devices, as far as drivers name them. */
struct cdevsw {
  int (*d_open)(dev_t, int, int, struct lwp *);
  int (*d_close)(dev_t, int, int, struct lwp *);
  int (*d_read)(dev_t, struct uio *, int);
  int (*d_write)(dev_t, struct uio *, int);
  int (*d_ioctl)(dev_t, unsigned long, void *, int, struct lwp *);
  int (*d_poll)(dev_t, int, struct lwp *);
  int d_flag;
};
#define D_MPSAFE 0x0100
#define D_OTHER 0
#endif
