// expect: safe, must [options: --environment linux] [judge: none]
// Each thread has a record of its own.
#include <linux/bug.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lock);
static struct task_struct *owner;
static int inside;

static int worker(void *argument) {
  int taken = 0;
  spin_lock(&lock);
  if (!owner) {
    owner = current;
    taken = 1;
  }
  spin_unlock(&lock);
  if (taken || owner == current) {
    inside++;
    BUG_ON(inside != 1);
    inside--;
  }
  return 0;
}

int main(void) {
  kthread_run(worker, 0, "first");
  kthread_run(worker, 0, "second");
  return 0;
}
