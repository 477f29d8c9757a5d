/* What the kernel of illumos does later: timeouts and task queues, each call by a thread of its own (models/kernel_later.c). */
#ifndef __MONABS_ILLUMOS_LATER_H
#define __MONABS_ILLUMOS_LATER_H

/* Timeouts: exact up to the clock. Their numbers are addresses of records that are never given back. */
typedef void *timeout_id_t;
struct __monabs_timeout {
  struct __monabs_later later;
  void (*function)(void *);
  void *argument;
};
static _Thread_local void *__monabs_in_timeout;
static inline void __monabs_timeout_run(void *record) {
  struct __monabs_timeout *timeout = record;
  __monabs_later_begin(&timeout->later, 1);
  __monabs_in_timeout = timeout;
  timeout->function(timeout->argument);
  __monabs_later_end(&timeout->later);
}
static inline timeout_id_t __monabs_timeout(void (*function)(void *), void *argument) {
  struct __monabs_timeout *timeout = malloc(sizeof(struct __monabs_timeout));
  __monabs_later_init(&timeout->later);
  timeout->function = function;
  timeout->argument = argument;
  __monabs_later_arm(&timeout->later);
  __monabs_kernel_thread(__monabs_timeout_run, timeout);
  return timeout;
}
#define timeout(function, argument, ticks) ((void)(ticks), __monabs_timeout((function), (argument)))
/* The time that was left, or -1 if it had begun: then it has ended, unless it is the caller. */
static inline clock_t untimeout(timeout_id_t id) {
  struct __monabs_timeout *timeout = id;
  clock_t left = __VERIFIER_nondet_int();
  if (!timeout)
    return -1;
  if (__monabs_later_cancel(&timeout->later)) {
    __CPROVER_assume(left >= 0);
    return left;
  }
  if (__monabs_in_timeout != timeout)
    __monabs_later_drain(&timeout->later);
  return -1;
}

/* Task queues: exact but for the order of tasks. */
typedef void (task_func_t)(void *);
typedef unsigned long taskqid_t;
typedef struct taskq {
  struct __monabs_queue queue;
} taskq_t;
typedef struct taskq ddi_taskq_t;
struct __monabs_task {
  taskq_t *queue;
  task_func_t *function;
  void *argument;
};
#define TQ_SLEEP 0
#define TQ_NOSLEEP 1
#define TQ_NOQUEUE 2
#define TASKQ_PREPOPULATE 1
#define TASKQ_DYNAMIC 4
#define TASKQ_DEFAULTPRI (-1)
#define DDI_SLEEP 0
#define DDI_NOSLEEP 1
static taskq_t __monabs_system_taskq;
#define system_taskq (&__monabs_system_taskq)
static inline taskq_t *__monabs_taskq_create(unsigned threads) {
  taskq_t *queue = malloc(sizeof(taskq_t));
  __monabs_queue_init(&queue->queue);
  __monabs_queue_start(&queue->queue, threads);
  return queue;
}
#define taskq_create(name, threads, priority, least, most, flags) __monabs_taskq_create(threads)
#define ddi_taskq_create(device, name, threads, priority, flags) __monabs_taskq_create(threads)
static inline void __monabs_task_run(void *record) {
  struct __monabs_task *task = record;
  taskq_t *queue = task->queue;
  task_func_t *function = task->function;
  void *argument = task->argument;
  free(task);
  __monabs_queue_begin(&queue->queue);
  function(argument);
  __monabs_queue_end(&queue->queue);
}
static inline taskqid_t taskq_dispatch(taskq_t *queue, task_func_t *function, void *argument, uint_t flags) {
  struct __monabs_task *task;
  if ((flags & (TQ_NOSLEEP | TQ_NOQUEUE)) && __VERIFIER_nondet_bool())
    return 0;
  if (queue == system_taskq)
    __monabs_queue_start(&queue->queue, (unsigned)-1);
  task = malloc(sizeof(struct __monabs_task));
  task->queue = queue;
  task->function = function;
  task->argument = argument;
  __monabs_queue_put(&queue->queue);
  return __monabs_kernel_thread(__monabs_task_run, task);
}
#define ddi_taskq_dispatch(queue, function, argument, flags) (taskq_dispatch((queue), (function), (argument), (flags)) ? 0 : -1)
#define taskq_wait(taskq) __monabs_queue_drain(&(taskq)->queue)
#define ddi_taskq_wait(taskq) taskq_wait(taskq)
#define taskq_destroy(taskq) (__monabs_queue_drain(&(taskq)->queue), free(taskq))
#define ddi_taskq_destroy(taskq) taskq_destroy(taskq)
#endif
