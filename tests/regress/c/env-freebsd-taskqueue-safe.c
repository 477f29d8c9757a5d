// expect: safe, must [options: --environment freebsd --data-race-check] [judge: none]
// The callout is drained first, then the task that it queues.
#include <sys/param.h>
#include <sys/callout.h>
#include <sys/malloc.h>
#include <sys/taskqueue.h>

static struct taskqueue *queue;
static struct callout callout;
static struct task task;
static int done;

static void work(void *context, int pending) {
  KASSERT(pending == 1, ("queued once"));
  done = 1;
}

static void tick(void *argument) {
  taskqueue_enqueue(queue, &task);
}

int main(void) {
  queue = taskqueue_create("works", M_WAITOK, taskqueue_thread_enqueue, &queue);
  taskqueue_start_threads(&queue, 1, 0, "works");
  TASK_INIT(&task, 0, work, NULL);
  callout_init(&callout, 1);
  callout_reset(&callout, 10, tick, NULL);
  callout_drain(&callout);
  taskqueue_drain(queue, &task);
  done = 2;
  return 0;
}
