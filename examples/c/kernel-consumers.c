// EXPECT: unsafe
// As kernel-condition.c, but a caller takes what is ready. A broadcast wakes two callers, and the second finds nothing: the wait
// should be in a loop.
#include <assert.h>
#include "verifier.h"

struct mtx {
  int opaque;
};
struct cv {
  int opaque;
};
void mtx_init(struct mtx *mutex, const char *name, const char *type, int options);
void mtx_lock(struct mtx *mutex);
void mtx_unlock(struct mtx *mutex);
void cv_init(struct cv *condition, const char *name);
void cv_wait(struct cv *condition, struct mtx *mutex);
void cv_broadcast(struct cv *condition);

static struct {
  struct mtx mutex;
  struct cv condition;
  int ready;
} device;

static void interrupt(void) {
  mtx_lock(&device.mutex);
  device.ready = 1;
  cv_broadcast(&device.condition);
  mtx_unlock(&device.mutex);
}

static void request(void) {
  mtx_lock(&device.mutex);
  if (!device.ready)
    cv_wait(&device.condition, &device.mutex);
  assert(device.ready);
  device.ready = 0;
  mtx_unlock(&device.mutex);
}

int main(void) {
  mtx_init(&device.mutex, "device", 0, 0);
  cv_init(&device.condition, "device");
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
    __CPROVER_ASYNC_1:
      interrupt();
    } else {
    __CPROVER_ASYNC_2:
      request();
    }
  }
  return 0;
}
