// expect: unsafe, must [judge: none]
// A lock is used after it was destroyed, or initialised again in between.
#include <threads.h>

cnd_t lock;

int main(void) {
  cnd_init(&lock);
  cnd_signal(&lock);
  cnd_destroy(&lock);
  
  cnd_signal(&lock);
  cnd_destroy(&lock);
  return 0;
}
