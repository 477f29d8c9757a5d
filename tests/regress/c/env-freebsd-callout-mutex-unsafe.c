// expect: unsafe, must [options: --environment freebsd] [judge: none]
// A callout without a mutex may run while it is stopped.
#include <sys/param.h>
#include <sys/callout.h>
#include <sys/lock.h>
#include <sys/mutex.h>

static struct mtx lock;
static struct callout callout;
static int stopped;

static void tick(void *argument) {
  KASSERT(!stopped, ("stopped"));
}

int main(void) {
  mtx_init(&lock, "lock", 0, MTX_DEF);
  callout_init(&callout, 1);
  mtx_lock(&lock);
  callout_reset(&callout, 10, tick, NULL);
  mtx_unlock(&lock);
  mtx_lock(&lock);
  callout_stop(&callout);
  stopped = 1;
  mtx_unlock(&lock);
  return 0;
}
