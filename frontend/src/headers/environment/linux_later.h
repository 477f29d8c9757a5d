/* What the kernel of Linux does later: threads, works, timers, tasklets, each call by a thread of its own (models/kernel_later.c); and the shapes of drivers.
   A callback must not free its own record. */
#ifndef __MONABS_LINUX_LATER_H
#define __MONABS_LINUX_LATER_H

/* Threads: exact. A record of a thread is only compared, never looked into. That a thread is to stop is possible at any time, marked. */
struct task_struct;
#define current ((struct task_struct *)__monabs_current())
#define kthread_run(function, argument, ...) ((struct task_struct *)__monabs_kernel_worker((function), (argument)))
static inline bool kthread_should_stop(void) {
  if (!__VERIFIER_nondet_bool())
    return 0;
  __monabs_approximate("a thread is asked to stop");
  return 1;
}
#define wake_up_process(task) ((void)(task), 1)

/* Works: exact but for the order on queues with one thread. A work is never run by two threads at once. */
struct work_struct;
typedef void (*work_func_t)(struct work_struct *);
struct workqueue_struct {
  struct __monabs_queue queue;
};
struct work_struct {
  struct __monabs_later later;
  work_func_t func;
  struct workqueue_struct *queue;
};
struct delayed_work {
  struct work_struct work;
};
static inline void __monabs_work_init(struct work_struct *work, work_func_t function) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&work->later);
  work->func = function;
  __CPROVER_atomic_end();
}
#define INIT_WORK(work, function) __monabs_work_init((work), (function))
#define INIT_DELAYED_WORK(delayed, function) __monabs_work_init(&(delayed)->work, (function))
#define DECLARE_WORK(name, function) struct work_struct name = {.func = function}
#define DECLARE_DELAYED_WORK(name, function) struct delayed_work name = {.work = {.func = function}}
#define to_delayed_work(w) container_of(w, struct delayed_work, work)
static inline void __monabs_work_run(void *record) {
  struct work_struct *work = record;
  struct workqueue_struct *queue;
  work_func_t function;
  __CPROVER_atomic_begin();
  __monabs_later_begin(&work->later, 1);
  queue = work->queue;
  function = work->func;
  if (queue)
    __monabs_queue_begin(&queue->queue);
  __CPROVER_atomic_end();
  function(work);
  __CPROVER_atomic_begin();
  __monabs_later_end(&work->later);
  if (queue)
    __monabs_queue_end(&queue->queue);
  __CPROVER_atomic_end();
}
static inline bool queue_work(struct workqueue_struct *queue, struct work_struct *work) {
  bool before;
  __CPROVER_atomic_begin();
  before = __monabs_later_arm(&work->later);
  if (!before) {
    work->queue = queue;
    if (queue)
      __monabs_queue_put(&queue->queue);
  }
  __CPROVER_atomic_end();
  if (!before)
    __monabs_kernel_thread(__monabs_work_run, work);
  return !before;
}
/* In an atomic section. */
static inline bool __monabs_work_cancel(struct work_struct *work) {
  bool before = __monabs_later_cancel(&work->later);
  if (before && work->queue)
    __monabs_queue_remove(&work->queue->queue);
  return before;
}
static inline bool cancel_work(struct work_struct *work) {
  bool before;
  __CPROVER_atomic_begin();
  before = __monabs_work_cancel(work);
  __CPROVER_atomic_end();
  return before;
}
static inline bool cancel_work_sync(struct work_struct *work) {
  bool before = cancel_work(work);
  __monabs_later_drain(&work->later);
  return before;
}
static inline bool flush_work(struct work_struct *work) {
  bool busy = __monabs_later_pending(&work->later) || __monabs_later_running(&work->later);
  __monabs_later_flush(&work->later);
  return busy;
}
/* The queues of the system have any number of threads: no queue at all. */
#define system_wq ((struct workqueue_struct *)0)
#define system_long_wq system_wq
#define system_unbound_wq system_wq
#define system_highpri_wq system_wq
#define schedule_work(work) queue_work(system_wq, (work))
#define schedule_delayed_work(delayed, time) ((void)(time), queue_work(system_wq, &(delayed)->work))
#define queue_delayed_work(queue, delayed, time) ((void)(time), queue_work((queue), &(delayed)->work))
#define mod_delayed_work(queue, delayed, time) ((void)(time), !queue_work((queue), &(delayed)->work))
#define cancel_delayed_work(delayed) cancel_work(&(delayed)->work)
#define cancel_delayed_work_sync(delayed) cancel_work_sync(&(delayed)->work)
#define flush_delayed_work(delayed) flush_work(&(delayed)->work)
#define work_pending(work) ((bool)__monabs_later_pending(&(work)->later))
#define delayed_work_pending(delayed) work_pending(&(delayed)->work)
static inline struct workqueue_struct *__monabs_workqueue(unsigned threads) {
  struct workqueue_struct *queue = malloc(sizeof(struct workqueue_struct));
  __monabs_queue_init(&queue->queue);
  __monabs_queue_start(&queue->queue, threads);
  return queue;
}
#define WQ_UNBOUND 2
#define WQ_HIGHPRI 16
#define WQ_MEM_RECLAIM 8
#define alloc_workqueue(name, flags, most, ...) __monabs_workqueue((most) == 0 ? (unsigned)-1 : (most))
#define alloc_ordered_workqueue(name, flags, ...) __monabs_workqueue(1)
#define create_workqueue(name) __monabs_workqueue((unsigned)-1)
#define create_singlethread_workqueue(name) __monabs_workqueue(1)
#define flush_workqueue(workqueue) __monabs_queue_drain(&(workqueue)->queue)
#define drain_workqueue(workqueue) __monabs_queue_drain(&(workqueue)->queue)
#define destroy_workqueue(workqueue) (__monabs_queue_drain(&(workqueue)->queue), free(workqueue))

/* Timers: exact up to the clock. A timer is never run by two threads at once. */
#define jiffies __monabs_clock()
#define HZ 1000
#define msecs_to_jiffies(time) ((unsigned long)(time))
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)
struct timer_list {
  struct __monabs_later later;
  unsigned long expires;
  void (*function)(struct timer_list *);
};
static inline void __monabs_timer_init(struct timer_list *timer, void (*function)(struct timer_list *)) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&timer->later);
  timer->function = function;
  __CPROVER_atomic_end();
}
#define timer_setup(timer, function, flags) __monabs_timer_init((timer), (function))
#define DEFINE_TIMER(name, f) struct timer_list name = {.function = f}
#define from_timer(variable, timer, field) container_of(timer, __typeof__(*variable), field)
#define timer_container_of(variable, timer, field) container_of(timer, __typeof__(*variable), field)
static inline void __monabs_timer_run(void *record) {
  struct timer_list *timer = record;
  void (*function)(struct timer_list *);
  __CPROVER_atomic_begin();
  __monabs_later_begin(&timer->later, 1);
  function = timer->function;
  __CPROVER_atomic_end();
  function(timer);
  __monabs_later_end(&timer->later);
}
static inline int mod_timer(struct timer_list *timer, unsigned long expires) {
  int before;
  __CPROVER_atomic_begin();
  timer->expires = expires;
  before = __monabs_later_arm(&timer->later);
  __CPROVER_atomic_end();
  if (!before)
    __monabs_kernel_thread(__monabs_timer_run, timer);
  return before;
}
static inline void add_timer(struct timer_list *timer) {
  __monabs_assert(!__monabs_later_pending(&timer->later), "add_timer of a timer that is not pending");
  mod_timer(timer, timer->expires);
}
#define del_timer(timer) ((int)__monabs_later_cancel(&(timer)->later))
#define timer_delete(timer) del_timer(timer)
#define del_timer_sync(timer) ((int)__monabs_later_drain(&(timer)->later))
#define timer_delete_sync(timer) del_timer_sync(timer)
#define timer_pending(timer) ((int)__monabs_later_pending(&(timer)->later))

/* Tasklets: exact. A tasklet is never run by two threads at once. */
struct tasklet_struct {
  struct __monabs_later later;
  void (*func)(unsigned long);
  void (*callback)(struct tasklet_struct *);
  unsigned long data;
};
static inline void tasklet_init(struct tasklet_struct *tasklet, void (*function)(unsigned long), unsigned long data) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&tasklet->later);
  tasklet->func = function;
  tasklet->callback = 0;
  tasklet->data = data;
  __CPROVER_atomic_end();
}
static inline void tasklet_setup(struct tasklet_struct *tasklet, void (*callback)(struct tasklet_struct *)) {
  __CPROVER_atomic_begin();
  __monabs_later_init(&tasklet->later);
  tasklet->callback = callback;
  __CPROVER_atomic_end();
}
static inline void __monabs_tasklet_run(void *record) {
  struct tasklet_struct *tasklet = record;
  __monabs_later_begin(&tasklet->later, 1);
  if (tasklet->callback)
    tasklet->callback(tasklet);
  else
    tasklet->func(tasklet->data);
  __monabs_later_end(&tasklet->later);
}
static inline void tasklet_schedule(struct tasklet_struct *tasklet) {
  if (!__monabs_later_arm(&tasklet->later))
    __monabs_kernel_thread(__monabs_tasklet_run, tasklet);
}
#define tasklet_hi_schedule(tasklet) tasklet_schedule(tasklet)
#define tasklet_kill(tasklet) __monabs_later_flush(&(tasklet)->later)

/* Drivers, as far as they name these. */
struct inode;
struct module;
struct file {
  void *private_data;
  unsigned f_flags;
};
struct file_operations {
  struct module *owner;
  int (*open)(struct inode *, struct file *);
  int (*release)(struct inode *, struct file *);
  ssize_t (*read)(struct file *, char *, size_t, loff_t *);
  ssize_t (*write)(struct file *, const char *, size_t, loff_t *);
  long (*unlocked_ioctl)(struct file *, unsigned, unsigned long);
};
typedef enum { IRQ_NONE = 0, IRQ_HANDLED = 1, IRQ_WAKE_THREAD = 2 } irqreturn_t;
typedef irqreturn_t (*irq_handler_t)(int, void *);
/* To register a device may fail. Who calls its functions is said by entry points. */
struct miscdevice {
  int minor;
  const char *name;
  const struct file_operations *fops;
};
#define MISC_DYNAMIC_MINOR 255
#define misc_register(device) ((void)(device), __VERIFIER_nondet_bool() ? -16 : 0)
#define misc_deregister(device) ((void)(device))
/* Memory of the user: exact; any part of it may be missing from some place on. */
static inline unsigned long __monabs_copy(void *to, const void *from, unsigned long size) {
  unsigned long missing = __VERIFIER_nondet_ulong();
  __CPROVER_assume(missing <= size);
  memcpy(to, from, size - missing);
  return missing;
}
#define copy_to_user(to, from, size) __monabs_copy((to), (from), (size))
#define copy_from_user(to, from, size) __monabs_copy((to), (from), (size))
#endif
