// expect: safe, must [options: --environment freebsd] [judge: none]
// A callout with a mutex that is stopped under the mutex does not run any more.
#include <sys/param.h>
#include <sys/callout.h>
#include <sys/lock.h>
#include <sys/mutex.h>

static struct mtx lock;
static struct callout callout;
static int stopped;

static void tick(void *argument) {
  mtx_assert(&lock, MA_OWNED);
  KASSERT(!stopped, ("stopped"));
}

int main(void) {
  mtx_init(&lock, "lock", 0, MTX_DEF);
  callout_init_mtx(&callout, &lock, 0);
  mtx_lock(&lock);
  callout_reset(&callout, 10, tick, NULL);
  mtx_unlock(&lock);
  mtx_lock(&lock);
  callout_stop(&callout);
  stopped = 1;
  mtx_unlock(&lock);
  return 0;
}
