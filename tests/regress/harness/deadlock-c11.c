// EXPECT: unsafe
// OPTIONS: --deadlock-check
#include <threads.h>

mtx_t a, b;

int one(void *unused) {
  mtx_lock(&a);
  mtx_lock(&b);
  mtx_unlock(&b);
  mtx_unlock(&a);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  thrd_create(&thread, one, 0);
  mtx_lock(&b);
  mtx_lock(&a);
  mtx_unlock(&a);
  mtx_unlock(&b);
  thrd_join(thread, 0);
  return 0;
}
