// EXPECT: unsafe
#include <assert.h>
#include <threads.h>

mtx_t mutex;
int holders, refused;

int thread(void *unused) {
  if (mtx_trylock(&mutex) == thrd_success) {
    holders++;
    mtx_unlock(&mutex);
  } else {
    refused = 1;
  }
  return 3;
}

int main(void) {
  thrd_t first, second;
  int one, two;
  mtx_init(&mutex, mtx_plain | mtx_recursive);
  thrd_create(&first, thread, 0);
  thrd_create(&second, thread, 0);
  thrd_join(first, &one);
  thrd_join(second, &two);
  assert(one == 3 && two == 3);
  assert(!refused);
  return 0;
}
