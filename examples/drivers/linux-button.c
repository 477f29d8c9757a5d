// EXPECT: safe
// OPTIONS: --environment linux --init button_probe --entry button_interrupt:1 --entry button_remove:1
// A button whose interrupt starts a timer, which queues a work, in the shape of a Linux driver. To remove it stops the timer first, and then the work.
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static struct button {
  spinlock_t lock;
  struct timer_list debounce;
  struct work_struct report;
  int gone;
  int input;
} button;

static void button_report(struct work_struct *work) {
  BUG_ON(!button.input);
}

static void button_settled(struct timer_list *timer) {
  schedule_work(&button.report);
}

static int button_probe(void) {
  spin_lock_init(&button.lock);
  timer_setup(&button.debounce, button_settled, 0);
  INIT_WORK(&button.report, button_report);
  button.input = 1;
  return 0;
}

static irqreturn_t button_interrupt(int line, void *device) {
  unsigned long flags;
  spin_lock_irqsave(&button.lock, flags);
  if (!button.gone)
    mod_timer(&button.debounce, 20);
  spin_unlock_irqrestore(&button.lock, flags);
  return IRQ_HANDLED;
}

static int button_remove(void) {
  spin_lock(&button.lock);
  button.gone = 1;
  spin_unlock(&button.lock);
  del_timer_sync(&button.debounce);
  cancel_work_sync(&button.report);
  button.input = 0;
  return 0;
}
