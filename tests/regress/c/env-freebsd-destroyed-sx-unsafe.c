// expect: unsafe, must [options: --environment freebsd] [judge: none]
// A lock for readers and writers that was destroyed must not be used.
#include <sys/param.h>
#include <sys/lock.h>
#include <sys/sx.h>

static struct sx lock;

int main(void) {
  sx_init(&lock, "lock");
  sx_slock(&lock);
  sx_sunlock(&lock);
  sx_destroy(&lock);
  sx_xlock(&lock);
  return 0;
}
