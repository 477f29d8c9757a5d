// expect: safe, must [options: --environment linux] [judge: none]
// The timer is stopped first, then the tasklet that it schedules.
#include <linux/bug.h>
#include <linux/interrupt.h>
#include <linux/timer.h>

static struct timer_list timer;
static struct tasklet_struct tasklet;
static int gone;

static void bottom(unsigned long data) {
  BUG_ON(gone || data != 7);
}

static void tick(struct timer_list *timer) {
  tasklet_schedule(&tasklet);
}

int main(void) {
  tasklet_init(&tasklet, bottom, 7);
  timer_setup(&timer, tick, 0);
  mod_timer(&timer, jiffies + HZ);
  del_timer_sync(&timer);
  tasklet_kill(&tasklet);
  gone = 1;
  return 0;
}
