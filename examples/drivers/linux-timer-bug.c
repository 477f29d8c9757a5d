// EXPECT: unsafe
// OPTIONS: --init timer_init=0 --entry timer_ioctl --entry timer_interrupt:1
// A timer whose two halves are set by calls and read by the interrupt, in the shape of a Linux driver. The interrupt looks without the lock.
#include "linux.h"

static struct timer_device {
  spinlock_t lock;
  unsigned seconds;
  unsigned copy;
} timer;

static int timer_init(void) {
  spin_lock_init(&timer.lock);
  return 0;
}

static long timer_ioctl(struct file *file, unsigned command, unsigned long argument) {
  unsigned long flags = 0;
  spin_lock_irqsave(&timer.lock, flags);
  timer.seconds = (unsigned)argument;
  timer.copy = (unsigned)argument;
  spin_unlock_irqrestore(&timer.lock, flags);
  return 0;
}

static irqreturn_t timer_interrupt(int line, void *device) {
  BUG_ON(timer.seconds != timer.copy);
  return IRQ_HANDLED;
}

static const struct file_operations timer_operations = {
  .unlocked_ioctl = timer_ioctl,
};
