// expect: safe, must [options: --environment illumos] [judge: none]
// Tasks are waited for, by a semaphore and by their queue.
#include <sys/atomic.h>
#include <sys/debug.h>
#include <sys/ksynch.h>
#include <sys/sunddi.h>

static kmutex_t lock;
static int number;
static ksema_t done;
static volatile uint32_t count;

static void work(void *argument) {
  mutex_enter(&lock);
  ASSERT(MUTEX_HELD(&lock));
  number = *(int *)argument;
  mutex_exit(&lock);
  atomic_inc_32(&count);
  sema_v(&done);
}

static int five = 5;

int main(void) {
  taskq_t *queue = taskq_create("works", 2, minclsyspri, 1, 4, TASKQ_PREPOPULATE);
  mutex_init(&lock, NULL, MUTEX_DRIVER, NULL);
  sema_init(&done, 0, NULL, SEMA_DRIVER, NULL);
  (void)taskq_dispatch(queue, work, &five, TQ_SLEEP);
  sema_p(&done);
  taskq_wait(queue);
  VERIFY3U(count, ==, 1);
  VERIFY3S(number, ==, 5);
  return 0;
}
