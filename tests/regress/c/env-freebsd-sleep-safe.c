// expect: safe, must [options: --environment freebsd] [judge: none]
// Whoever wakes up looks again.
#include <sys/param.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/systm.h>

static struct mtx lock;
static int items;

static void consumer(void *argument) {
  mtx_lock(&lock);
  while (items == 0)
    msleep(&items, &lock, PWAIT, "items", 0);
  items--;
  KASSERT(items >= 0, ("too few"));
  mtx_unlock(&lock);
}

int main(void) {
  mtx_init(&lock, "items", 0, MTX_DEF);
  kproc_create(consumer, 0, 0, 0, 0, "first");
  kproc_create(consumer, 0, 0, 0, 0, "second");
  mtx_lock(&lock);
  items++;
  wakeup(&items);
  mtx_unlock(&lock);
  return 0;
}
