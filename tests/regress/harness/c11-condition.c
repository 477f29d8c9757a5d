// EXPECT: unsafe
#include <assert.h>
#include <threads.h>

mtx_t mutex;
cnd_t changed;
int ready, items;

int consume(void *unused) {
  mtx_lock(&mutex);
  if (!ready)
    cnd_wait(&changed, &mutex);
  assert(items == 1);
  mtx_unlock(&mutex);
  return 7;
}

int main(void) {
  thrd_t thread;
  int result;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_create(&thread, consume, 0);
  mtx_lock(&mutex);
  ready = 1;
  mtx_unlock(&mutex);
  mtx_lock(&mutex);
  items = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  thrd_join(thread, &result);
  return 0;
}
