// expect: unsafe, must [options: --environment freebsd] [judge: none]
// cv_broadcast wakes all who wait.
#include <sys/param.h>
#include <sys/condvar.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>

static struct mtx lock;
static struct cv change;
static int signals, woken;

static void waiter(void *argument) {
  mtx_lock(&lock);
  cv_wait(&change, &lock);
  woken++;
  KASSERT(woken <= signals, ("nobody woke this one"));
  mtx_unlock(&lock);
}

int main(void) {
  mtx_init(&lock, "lock", 0, MTX_DEF);
  cv_init(&change, "change");
  kproc_create(waiter, 0, 0, 0, 0, "first");
  kproc_create(waiter, 0, 0, 0, 0, "second");
  mtx_lock(&lock);
  signals++;
  cv_broadcast(&change);
  mtx_unlock(&lock);
  return 0;
}
