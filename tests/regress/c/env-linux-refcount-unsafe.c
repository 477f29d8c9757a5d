// expect: unsafe, must [options: --environment linux] [judge: none]
// The reference is given away while the thread uses the device.
#include <linux/kref.h>
#include <linux/kthread.h>
#include <linux/spinlock.h>

struct device {
  struct kref kref;
  int dead;
};

static struct device device;

static void release(struct kref *kref) {
  struct device *device = container_of(kref, struct device, kref);
  device->dead = 1;
}

static int worker(void *argument) {
  BUG_ON(device.dead);
  kref_put(&device.kref, release);
  return 0;
}

int main(void) {
  kref_init(&device.kref);
  kthread_run(worker, 0, "worker");
  kref_put(&device.kref, release);
  return 0;
}
