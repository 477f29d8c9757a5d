// expect: safe, must [judge: none]
// A lock is used after it was destroyed, or initialised again in between.
#include <threads.h>

mtx_t lock;

int main(void) {
  mtx_init(&lock, mtx_plain);
  mtx_lock(&lock);
  mtx_unlock(&lock);
  mtx_destroy(&lock);
  mtx_init(&lock, mtx_plain);
  mtx_lock(&lock);
  mtx_unlock(&lock);
  mtx_destroy(&lock);
  return 0;
}
