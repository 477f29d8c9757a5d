// expect: unsafe, must [options: --environment linux] [judge: none]
// The result comes behind the completion.
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/bug.h>

static DECLARE_COMPLETION(done);
static int result;

static int worker(void *argument) {
  complete(&done);
  result = 5;
  return 0;
}

int main(void) {
  kthread_run(worker, 0, "worker");
  wait_for_completion(&done);
  BUG_ON(result != 5);
  return 0;
}
