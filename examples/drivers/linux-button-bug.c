// EXPECT: unsafe
// OPTIONS: --environment linux --init button_probe --entry button_interrupt:1 --entry button_remove:1
// A button whose interrupt leaves its report to a work, in the shape of a Linux driver. To remove it takes the work from the queue, but does not wait for one that runs already.
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

static struct button {
  spinlock_t lock;
  struct work_struct report;
  int gone;
  int input;
} button;

static void button_report(struct work_struct *work) {
  BUG_ON(!button.input);
}

static int button_probe(void) {
  spin_lock_init(&button.lock);
  INIT_WORK(&button.report, button_report);
  button.input = 1;
  return 0;
}

static irqreturn_t button_interrupt(int line, void *device) {
  unsigned long flags;
  spin_lock_irqsave(&button.lock, flags);
  if (!button.gone)
    schedule_work(&button.report);
  spin_unlock_irqrestore(&button.lock, flags);
  return IRQ_HANDLED;
}

static int button_remove(void) {
  spin_lock(&button.lock);
  button.gone = 1;
  spin_unlock(&button.lock);
  cancel_work(&button.report);
  button.input = 0;
  return 0;
}
