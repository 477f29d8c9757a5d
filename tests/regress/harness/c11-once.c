// EXPECT: unsafe
#include <assert.h>
#include <threads.h>

once_flag once = ONCE_FLAG_INIT;
mtx_t mutex;
int made, used;

void make(void) {
  mtx_init(&mutex, mtx_plain);
  made = 1;
}

int thread(void *unused) {
  int mine;
  call_once(&once, make);
  mtx_lock(&mutex);
  mine = used;
  mtx_unlock(&mutex);
  mtx_lock(&mutex);
  used = mine + made;
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  thrd_t first, second;
  thrd_create(&first, thread, 0);
  thrd_create(&second, thread, 0);
  thrd_join(first, 0);
  thrd_join(second, 0);
  assert(used == 2);
  return 0;
}
