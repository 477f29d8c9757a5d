// expect: unsafe, must [options: --environment freebsd] [judge: none]
// A lock that was destroyed must not be used.
#include <sys/param.h>
#include <sys/lock.h>
#include <sys/mutex.h>

static struct mtx lock;

int main(void) {
  mtx_init(&lock, "lock", 0, MTX_DEF);
  mtx_lock(&lock);
  mtx_unlock(&lock);
  mtx_destroy(&lock);
  mtx_lock(&lock);
  mtx_unlock(&lock);
  return 0;
}
