// expect: unsafe, must [options: --environment linux] [judge: none]
// A lock that was destroyed must not be used.
#include <linux/mutex.h>

static struct mutex lock;

int main(void) {
  mutex_init(&lock);
  mutex_lock(&lock);
  mutex_unlock(&lock);
  mutex_destroy(&lock);
  mutex_lock(&lock);
  mutex_unlock(&lock);
  return 0;
}
