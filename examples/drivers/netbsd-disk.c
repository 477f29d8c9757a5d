// EXPECT: safe
// OPTIONS: --init disk_attach --entry disk_read --entry disk_intr:1
// One transfer at a time, in the shape of a NetBSD driver: a reader claims the device, starts it, and waits for the interrupt. Whoever wakes looks again.
#include "netbsd.h"

static struct disk_softc {
  kmutex_t lock;
  kcondvar_t idle;
  int busy;
  int transfers;
} disk;

static void disk_attach(device_t parent, device_t self, void *aux) {
  mutex_init(&disk.lock, MUTEX_DEFAULT, IPL_VM);
  cv_init(&disk.idle, "disk");
}

static int disk_read(dev_t device, struct uio *uio, int flags) {
  mutex_enter(&disk.lock);
  while (disk.busy)
    cv_wait(&disk.idle, &disk.lock);
  disk.busy = 1;
  disk.transfers++;
  KASSERT(disk.transfers == 1);
  mutex_exit(&disk.lock);
  return 0;
}

static int disk_intr(void *argument) {
  mutex_enter(&disk.lock);
  if (disk.busy) {
    disk.transfers--;
    disk.busy = 0;
    cv_signal(&disk.idle);
  }
  mutex_exit(&disk.lock);
  return 1;
}

const struct cdevsw disk_cdevsw = {
  .d_read = disk_read,
};
