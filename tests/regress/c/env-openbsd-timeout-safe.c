// expect: safe, must [options: --environment openbsd] [judge: none]
// A timeout is removed with a barrier, and is never run by two threads at once.
#include <sys/param.h>
#include <sys/mutex.h>
#include <sys/refcnt.h>
#include <sys/rwlock.h>
#include <sys/timeout.h>

static struct timeout timeout;
static struct rwlock lock = RWLOCK_INITIALIZER("lock");
static struct refcnt references;
static int inside, gone;

static void tick(void *argument) {
  KASSERT(!gone);
  KASSERT(argument == &timeout);
  inside++;
  KASSERT(inside == 1);
  inside--;
}

int main(void) {
  refcnt_init(&references);
  timeout_set(&timeout, tick, &timeout);
  timeout_add(&timeout, 10);
  timeout_add_msec(&timeout, 20);
  timeout_del_barrier(&timeout);
  gone = 1;
  KASSERT(rw_enter(&lock, RW_WRITE) == 0);
  rw_assert_wrlock(&lock);
  rw_exit_write(&lock);
  refcnt_finalize(&references, "end");
  return 0;
}
