// expect: safe, must [options: --environment linux] [judge: none]
// A bit as a lock that is tried.
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/kthread.h>

static unsigned long state;
static int inside;

static int worker(void *argument) {
  if (test_and_set_bit(3, &state))
    return 0;
  inside++;
  BUG_ON(inside != 1);
  inside--;
  clear_bit(3, &state);
  return 0;
}

int main(void) {
  kthread_run(worker, 0, "first");
  kthread_run(worker, 0, "second");
  return 0;
}
