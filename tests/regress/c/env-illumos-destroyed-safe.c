// expect: safe, must [options: --environment illumos] [judge: none]
// A lock that was destroyed must not be used.
#include <sys/types.h>
#include <sys/ksynch.h>

static kmutex_t lock;

int main(void) {
  mutex_init(&lock, NULL, MUTEX_DRIVER, NULL);
  mutex_enter(&lock);
  mutex_exit(&lock);
  mutex_destroy(&lock);
  return 0;
}
