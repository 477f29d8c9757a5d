// expect: safe, must [options: --environment netbsd] [judge: none]
// A queue has one thread: its function is not run twice at a time.
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/workqueue.h>

static struct work first, second;
static int inside;

static void worker(struct work *work, void *argument) {
  inside++;
  KASSERT(inside == 1);
  inside--;
}

int main(void) {
  struct workqueue *queue;
  workqueue_create(&queue, "works", worker, NULL, PRI_NONE, IPL_NONE, WQ_MPSAFE);
  workqueue_enqueue(queue, &first, NULL);
  workqueue_enqueue(queue, &second, NULL);
  return 0;
}
