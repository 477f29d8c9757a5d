// EXPECT: safe
// OPTIONS: --init ring_attach --entry ring_read --entry ring_write
// A device with room for four items, in the shape of a FreeBSD character device: readers take one, writers put one. Room is looked for under the lock.
#include "freebsd.h"

#define ROOM 4

static struct ring_softc {
  struct mtx lock;
  int used;
} ring;

static int ring_attach(void) {
  mtx_init(&ring.lock, "ring", 0, 0);
  ring.used = 0;
  return 0;
}

static int ring_read(struct cdev *device, struct uio *uio, int flags) {
  mtx_lock(&ring.lock);
  if (ring.used == 0) {
    mtx_unlock(&ring.lock);
    return EAGAIN;
  }
  ring.used--;
  KASSERT(ring.used >= 0, ("no items"));
  mtx_unlock(&ring.lock);
  return 0;
}

static int ring_write(struct cdev *device, struct uio *uio, int flags) {
  mtx_lock(&ring.lock);
  if (ring.used == ROOM) {
    mtx_unlock(&ring.lock);
    return ENOSPC;
  }
  ring.used++;
  KASSERT(ring.used <= ROOM, ("too many items"));
  mtx_unlock(&ring.lock);
  return 0;
}

struct cdevsw ring_cdevsw = {
  .d_read = ring_read,
  .d_write = ring_write,
};
