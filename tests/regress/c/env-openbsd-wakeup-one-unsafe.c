// expect: unsafe, must [options: --environment openbsd] [judge: none]
// One who sleeps for a time may wake up by itself.
#include <sys/param.h>
#include <sys/kthread.h>
#include <sys/mutex.h>
#include <sys/systm.h>

static struct mutex lock = MUTEX_INITIALIZER(IPL_NONE);
static int signals, woken;

static void sleeper(void *argument) {
  mtx_enter(&lock);
  msleep_nsec(&signals, &lock, PWAIT, "signal", MSEC_TO_NSEC(10));
  woken++;
  KASSERT(woken <= signals);
  mtx_leave(&lock);
}

int main(void) {
  kthread_create(sleeper, 0, NULL, "first");
  kthread_create(sleeper, 0, NULL, "second");
  mtx_enter(&lock);
  signals++;
  wakeup_one(&signals);
  mtx_leave(&lock);
  return 0;
}
