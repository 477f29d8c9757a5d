/* What the kernel of FreeBSD does later: callouts and task queues, each call by a thread of its own (models/kernel_later.c); and the shapes of character devices.
   A callback must not free its own callout or task. */
#ifndef __MONABS_FREEBSD_LATER_H
#define __MONABS_FREEBSD_LATER_H

/* Callouts: exact up to the clock. One callout is never run by two threads at once. One with a mutex takes it first, and is not run if it was stopped meanwhile. */
typedef void callout_func_t(void *);
struct callout {
  struct __monabs_later later;
  struct mtx *mutex;
  int options;
  _Bool cancelled;
  _Bool active;
  callout_func_t *c_func;
  void *c_arg;
};
#define CALLOUT_RETURNUNLOCKED 0x10
#define CALLOUT_MPSAFE 0x08
static inline void callout_init_mtx(struct callout *callout, struct mtx *mutex, int options) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&callout->later);
  callout->mutex = mutex;
  callout->options = options;
  callout->cancelled = 0;
  callout->active = 0;
  __CPROVER_atomic_end();
}
#define callout_init(callout, mpsafe) callout_init_mtx((callout), (struct mtx *)0, 0)
static inline void __monabs_callout_run(void *record) {
  struct callout *callout = record;
  callout_func_t *function;
  void *argument;
  struct mtx *mutex;
  _Bool cancelled = 0, unlocked;
  __CPROVER_atomic_begin();
  __monabs_later_begin(&callout->later, 1);
  function = callout->c_func;
  argument = callout->c_arg;
  mutex = callout->mutex;
  unlocked = (callout->options & CALLOUT_RETURNUNLOCKED) != 0;
  callout->cancelled = 0;
  __CPROVER_atomic_end();
  if (mutex) {
    mtx_lock(mutex);
    __CPROVER_atomic_begin();
    cancelled = callout->cancelled;
    callout->cancelled = 1;
    __CPROVER_atomic_end();
  }
  if (!cancelled)
    function(argument);
  if (mutex && (cancelled || !unlocked))
    mtx_unlock(mutex);
  __monabs_later_end(&callout->later);
}
/* Not run yet, but taken from the list: with a mutex it can still be stopped. In an atomic section. */
static inline _Bool __monabs_callout_cancel(struct callout *callout) {
  _Bool stopped = __monabs_later_cancel(&callout->later);
  if (callout->mutex && __monabs_later_running(&callout->later) && !callout->cancelled) {
    callout->cancelled = 1;
    stopped = 1;
  }
  return stopped;
}
/* 1 if it was pending before. */
static inline int __monabs_callout_reset(struct callout *callout, callout_func_t *function, void *argument) {
  _Bool stopped;
  __CPROVER_atomic_begin();
  stopped = __monabs_callout_cancel(callout);
  callout->c_func = function;
  callout->c_arg = argument;
  callout->active = 1;
  __monabs_later_arm(&callout->later);
  __CPROVER_atomic_end();
  __monabs_kernel_thread(__monabs_callout_run, callout);
  return stopped;
}
#define callout_reset(callout, ticks, function, argument) __monabs_callout_reset((callout), (function), (argument))
#define callout_reset_sbt(callout, time, precision, function, argument, flags) __monabs_callout_reset((callout), (function), (argument))
#define callout_reset_on(callout, ticks, function, argument, cpu) __monabs_callout_reset((callout), (function), (argument))
#define callout_reset_curcpu(callout, ticks, function, argument) __monabs_callout_reset((callout), (function), (argument))
#define callout_schedule(callout, ticks) __monabs_callout_reset((callout), (callout)->c_func, (callout)->c_arg)
/* 1 if it will not run, 0 if it is running, -1 if it was not set (0 before FreeBSD 11). The caller has its mutex. */
static inline int callout_stop(struct callout *callout) {
  int result;
  __monabs_assert(!callout->mutex || mtx_owned(callout->mutex), "callout_stop with the mutex of the callout");
  __CPROVER_atomic_begin();
  result = __monabs_callout_cancel(callout) ? 1 : __monabs_later_running(&callout->later) ? 0 : -1;
  callout->active = 0;
  __CPROVER_atomic_end();
  return result;
}
/* Likewise, and waits until it does not run. The caller must not have its mutex. */
static inline int callout_drain(struct callout *callout) {
  int result;
  __CPROVER_atomic_begin();
  result = __monabs_callout_cancel(callout) ? 1 : __monabs_later_running(&callout->later) ? 0 : -1;
  callout->active = 0;
  __CPROVER_atomic_end();
  __monabs_later_drain(&callout->later);
  return result;
}
#define callout_pending(callout) ((int)__monabs_later_pending(&(callout)->later))
#define callout_active(callout) ((int)(callout)->active)
#define callout_deactivate(callout) ((void)((callout)->active = 0))

/* Task queues: exact but for the order of tasks (models/kernel_later.c). */
typedef void task_fn_t(void *, int);
struct taskqueue {
  struct __monabs_queue queue;
};
struct task {
  struct __monabs_later later;
  unsigned short ta_pending;
  task_fn_t *ta_func;
  void *ta_context;
  struct taskqueue *queue;
};
typedef void (*taskqueue_enqueue_fn)(void *);
static inline void __monabs_task_init(struct task *task, task_fn_t *function, void *context) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&task->later);
  task->ta_pending = 0;
  task->ta_func = function;
  task->ta_context = context;
  __CPROVER_atomic_end();
}
#define TASK_INIT(task, priority, function, context) __monabs_task_init((task), (function), (context))
#define TASK_INITIALIZER(priority, function, context) {.ta_func = (function), .ta_context = (context)}
static struct taskqueue __monabs_taskqueues[3];
#define taskqueue_thread (&__monabs_taskqueues[0])
#define taskqueue_swi (&__monabs_taskqueues[1])
#define taskqueue_fast (&__monabs_taskqueues[2])
static inline void taskqueue_thread_enqueue(void *context) {}
static inline struct taskqueue *__monabs_taskqueue_create(int flags) {
  struct taskqueue *queue = malloc(sizeof(struct taskqueue), 0, flags);
  if (queue)
    __monabs_queue_init(&queue->queue);
  return queue;
}
#define taskqueue_create(name, flags, enqueue, context) __monabs_taskqueue_create(flags)
#define taskqueue_create_fast(name, flags, enqueue, context) __monabs_taskqueue_create(flags)
#define taskqueue_start_threads(address, count, priority, ...) (__monabs_queue_start(&(*(address))->queue, (count)), 0)
static inline void __monabs_task_run(void *record) {
  struct task *task = record;
  struct taskqueue *queue;
  int pending;
  __CPROVER_atomic_begin();
  __monabs_later_begin(&task->later, 0);
  queue = task->queue;
  __monabs_queue_begin(&queue->queue);
  pending = task->ta_pending;
  task->ta_pending = 0;
  __CPROVER_atomic_end();
  task->ta_func(task->ta_context, pending);
  __CPROVER_atomic_begin();
  __monabs_later_end(&task->later);
  __monabs_queue_end(&queue->queue);
  __CPROVER_atomic_end();
}
static inline int taskqueue_enqueue(struct taskqueue *queue, struct task *task) {
  _Bool before;
  __CPROVER_atomic_begin();
  before = __monabs_later_arm(&task->later);
  if (task->ta_pending != 65535)
    task->ta_pending = task->ta_pending + 1;
  if (!before) {
    task->queue = queue;
    __monabs_queue_put(&queue->queue);
  }
  __CPROVER_atomic_end();
  if (!before)
    __monabs_kernel_thread(__monabs_task_run, task);
  return 0;
}
#define taskqueue_enqueue_fast(queue, task) taskqueue_enqueue((queue), (task))
static inline int taskqueue_cancel(struct taskqueue *queue, struct task *task, unsigned *pending) {
  int result;
  __CPROVER_atomic_begin();
  if (pending)
    *pending = task->ta_pending;
  task->ta_pending = 0;
  if (__monabs_later_cancel(&task->later))
    __monabs_queue_remove(&queue->queue);
  result = __monabs_later_running(&task->later) ? EBUSY : 0;
  __CPROVER_atomic_end();
  return result;
}
#define taskqueue_drain(queue, task) ((void)(queue), __monabs_later_flush(&(task)->later))
#define taskqueue_drain_all(taskqueue) __monabs_queue_drain(&(taskqueue)->queue)
#define taskqueue_free(taskqueue) (__monabs_queue_drain(&(taskqueue)->queue), (free)(taskqueue))

/* Character devices, as far as drivers name them. */
struct cdev;
struct uio;
typedef int d_open_t(struct cdev *, int, int, struct thread *);
typedef int d_close_t(struct cdev *, int, int, struct thread *);
typedef int d_read_t(struct cdev *, struct uio *, int);
typedef int d_write_t(struct cdev *, struct uio *, int);
typedef int d_ioctl_t(struct cdev *, unsigned long, char *, int, struct thread *);
typedef int d_poll_t(struct cdev *, int, struct thread *);
struct cdevsw {
  int d_version;
  unsigned d_flags;
  const char *d_name;
  d_open_t *d_open;
  d_close_t *d_close;
  d_read_t *d_read;
  d_write_t *d_write;
  d_ioctl_t *d_ioctl;
  d_poll_t *d_poll;
};
#define D_VERSION 0x17122009
#define D_NEEDGIANT 0x00400000
#endif
