/* What the kernel of OpenBSD does later: timeouts and tasks, each call by a thread of its own (models/kernel_later.c); atomic operations.
   A callback must not free its own record. */
#ifndef __MONABS_OPENBSD_LATER_H
#define __MONABS_OPENBSD_LATER_H

/* Timeouts: exact up to the clock. Three threads run all of them: the soft interrupt, one for those that need a process, and one for those of them that do without the
   lock around the kernel. */
#define TIMEOUT_PROC 1
#define TIMEOUT_MPSAFE 0x10
#define KCLOCK_NONE (-1)
struct timeout {
  struct __monabs_later later;
  _Bool triggered;
  _Bool set;
  int to_flags;
  void (*to_func)(void *);
  void *to_arg;
};
static struct __monabs_sxlock __monabs_softclock[3];
#define TIMEOUT_INITIALIZER(function, argument) {.set = 1, .to_func = (function), .to_arg = (argument)}
#define TIMEOUT_INITIALIZER_FLAGS(function, argument, clock, flags) {.set = 1, .to_flags = (flags), .to_func = (function), .to_arg = (argument)}
static inline void __monabs_timeout_set(struct timeout *timeout, void (*function)(void *), void *argument, int flags) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&timeout->later);
  timeout->triggered = 0;
  timeout->set = 1;
  timeout->to_flags = flags;
  timeout->to_func = function;
  timeout->to_arg = argument;
  __CPROVER_atomic_end();
}
#define timeout_set(timeout, function, argument) __monabs_timeout_set((timeout), (function), (argument), 0)
#define timeout_set_proc(timeout, function, argument) __monabs_timeout_set((timeout), (function), (argument), TIMEOUT_PROC)
#define timeout_set_flags(timeout, function, argument, clock, flags) __monabs_timeout_set((timeout), (function), (argument), (flags))
static inline void __monabs_timeout_run(void *record) {
  struct timeout *timeout = record;
  void (*function)(void *);
  void *argument;
  int safe, clock;
  __CPROVER_atomic_begin();
  __monabs_later_begin(&timeout->later, 1);
  clock = !(timeout->to_flags & TIMEOUT_PROC) ? 0 : timeout->to_flags & TIMEOUT_MPSAFE ? 2 : 1;
  __monabs_sx_write(&__monabs_softclock[clock]);
  timeout->triggered = 1;
  function = timeout->to_func;
  argument = timeout->to_arg;
  safe = timeout->to_flags & TIMEOUT_MPSAFE;
  __CPROVER_atomic_end();
  if (!safe)
    KERNEL_LOCK();
  function(argument);
  if (!safe)
    KERNEL_UNLOCK();
  __CPROVER_atomic_begin();
  __monabs_later_end(&timeout->later);
  __monabs_sx_end_write(&__monabs_softclock[clock]);
  __CPROVER_atomic_end();
}
/* 1 if it was not pending. */
static inline int __monabs_timeout_add(struct timeout *timeout) {
  _Bool before;
  __monabs_assert(timeout->set, "timeout_add of a timeout that was set");
  __CPROVER_atomic_begin();
  before = __monabs_later_arm(&timeout->later);
  timeout->triggered = 0;
  __CPROVER_atomic_end();
  if (!before)
    __monabs_kernel_thread(__monabs_timeout_run, timeout);
  return !before;
}
#define timeout_add(timeout, ticks) ((void)(ticks), __monabs_timeout_add(timeout))
#define timeout_add_sec(timeout, time) ((void)(time), __monabs_timeout_add(timeout))
#define timeout_add_msec(timeout, time) ((void)(time), __monabs_timeout_add(timeout))
#define timeout_add_usec(timeout, time) ((void)(time), __monabs_timeout_add(timeout))
#define timeout_add_nsec(timeout, time) ((void)(time), __monabs_timeout_add(timeout))
#define timeout_add_tv(timeout, time) ((void)(time), __monabs_timeout_add(timeout))
/* 1 if it was pending. It may still run. */
static inline int timeout_del(struct timeout *timeout) {
  int result;
  __CPROVER_atomic_begin();
  result = __monabs_later_cancel(&timeout->later);
  timeout->triggered = 0;
  __CPROVER_atomic_end();
  return result;
}
/* Likewise, and it does not run any more. */
static inline int timeout_del_barrier(struct timeout *timeout) {
  int result = timeout_del(timeout);
  __monabs_later_drain(&timeout->later);
  return result;
}
static inline void timeout_barrier(struct timeout *timeout) {
  __CPROVER_atomic_begin();
  __CPROVER_assume(!__monabs_later_running(&timeout->later));
  __CPROVER_atomic_end();
}
#define timeout_pending(timeout) ((int)__monabs_later_pending(&(timeout)->later))
#define timeout_initialized(timeout) ((int)(timeout)->set)
#define timeout_triggered(timeout) ((int)(timeout)->triggered)

/* Tasks: exact but for their order. */
#define TASKQ_MPSAFE 1
struct taskq {
  struct __monabs_queue queue;
  _Bool safe;
};
struct task {
  struct __monabs_later later;
  void (*t_func)(void *);
  void *t_arg;
  struct taskq *queue;
};
#define TASK_INITIALIZER(function, argument) {.t_func = (function), .t_arg = (argument)}
static struct taskq __monabs_systq, __monabs_systqmp = {.safe = 1};
#define systq (&__monabs_systq)
#define systqmp (&__monabs_systqmp)
static inline struct taskq *__monabs_taskq_create(unsigned threads, unsigned flags) {
  struct taskq *queue = (malloc)(sizeof(struct taskq));
  __monabs_queue_init(&queue->queue);
  __monabs_queue_start(&queue->queue, threads);
  queue->safe = (flags & TASKQ_MPSAFE) != 0;
  return queue;
}
#define taskq_create(name, threads, level, flags) __monabs_taskq_create((threads), (flags))
static inline void task_set(struct task *task, void (*function)(void *), void *argument) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&task->later);
  task->t_func = function;
  task->t_arg = argument;
  __CPROVER_atomic_end();
}
static inline void __monabs_task_run(void *record) {
  struct task *task = record;
  struct taskq *queue;
  void (*function)(void *);
  void *argument;
  __CPROVER_atomic_begin();
  __monabs_later_begin(&task->later, 0);
  queue = task->queue;
  function = task->t_func;
  argument = task->t_arg;
  __monabs_queue_begin(&queue->queue);
  __monabs_later_end(&task->later);
  __CPROVER_atomic_end();
  if (!queue->safe)
    KERNEL_LOCK();
  function(argument);
  if (!queue->safe)
    KERNEL_UNLOCK();
  __monabs_queue_end(&queue->queue);
}
/* 1 if it was not queued. */
static inline int task_add(struct taskq *queue, struct task *task) {
  _Bool before;
  __CPROVER_atomic_begin();
  before = __monabs_later_arm(&task->later);
  if (!before) {
    task->queue = queue;
    __monabs_queue_put(&queue->queue);
  }
  __CPROVER_atomic_end();
  if (!before)
    __monabs_kernel_thread(__monabs_task_run, task);
  return !before;
}
/* 1 if it was queued. It may still run. */
static inline int task_del(struct taskq *queue, struct task *task) {
  int result;
  __CPROVER_atomic_begin();
  result = __monabs_later_cancel(&task->later);
  if (result)
    __monabs_queue_remove(&queue->queue);
  __CPROVER_atomic_end();
  return result;
}
#define task_pending(task) ((int)__monabs_later_pending(&(task)->later))
#define taskq_barrier(taskq) __monabs_queue_drain(&(taskq)->queue)
#define taskq_del_barrier(taskq, task) ((void)task_del((taskq), (task)), __monabs_queue_drain(&(taskq)->queue))
#define taskq_destroy(taskq) (__monabs_queue_drain(&(taskq)->queue), (free)(taskq))

/* Atomic operations: exact, and stronger than asked for. */
#define __MONABS_ATOMIC(name, unsigned_name, type) \
  static inline void atomic_inc_##name(volatile type *p) { __sync_fetch_and_add(p, 1); } \
  static inline void atomic_dec_##name(volatile type *p) { __sync_fetch_and_sub(p, 1); } \
  static inline type atomic_inc_##name##_nv(volatile type *p) { return __sync_add_and_fetch(p, 1); } \
  static inline type atomic_dec_##name##_nv(volatile type *p) { return __sync_sub_and_fetch(p, 1); } \
  static inline void atomic_add_##name(volatile type *p, type v) { __sync_fetch_and_add(p, v); } \
  static inline void atomic_sub_##name(volatile type *p, type v) { __sync_fetch_and_sub(p, v); } \
  static inline type atomic_add_##name##_nv(volatile type *p, type v) { return __sync_add_and_fetch(p, v); } \
  static inline type atomic_sub_##name##_nv(volatile type *p, type v) { return __sync_sub_and_fetch(p, v); } \
  static inline type atomic_cas_##unsigned_name(volatile type *p, type old, type new) { return __sync_val_compare_and_swap(p, old, new); } \
  static inline type atomic_swap_##unsigned_name(volatile type *p, type v) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); } \
  static inline type atomic_load_##name(volatile type *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); } \
  static inline void atomic_store_##name(volatile type *p, type v) { __atomic_store_n(p, v, __ATOMIC_RELAXED); }
__MONABS_ATOMIC(int, uint, unsigned)
__MONABS_ATOMIC(long, ulong, unsigned long)
#undef __MONABS_ATOMIC
static inline void atomic_setbits_int(volatile unsigned *p, unsigned v) { __sync_fetch_and_or(p, v); }
static inline void atomic_clearbits_int(volatile unsigned *p, unsigned v) { __sync_fetch_and_and(p, ~v); }
static inline void *atomic_cas_ptr(volatile void *p, void *old, void *new) {
  return __sync_val_compare_and_swap((void *volatile *)p, old, new);
}
static inline void *atomic_swap_ptr(volatile void *p, void *new) {
  return __atomic_exchange_n((void *volatile *)p, new, __ATOMIC_SEQ_CST);
}
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) __atomic_store_n(&(x), (value), __ATOMIC_RELAXED)
#define membar_enter() __sync_synchronize()
#define membar_exit() __sync_synchronize()
#define membar_producer() __sync_synchronize()
#define membar_consumer() __sync_synchronize()
#define membar_sync() __sync_synchronize()
#define membar_enter_after_atomic() __sync_synchronize()
#define membar_exit_before_atomic() __sync_synchronize()
#define CPU_BUSY_CYCLE() ((void)0)
#endif
