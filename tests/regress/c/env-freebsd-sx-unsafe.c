// expect: unsafe, must [options: --environment freebsd] [judge: none]
// The writer takes the lock as a reader.
#include <sys/param.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/sx.h>
#include <sys/systm.h>

static struct sx lock;
static int writing;

static void writer(void *argument) {
  sx_slock(&lock);
  writing = 1;
  writing = 0;
  sx_sunlock(&lock);
}

static void reader(void *argument) {
  sx_slock(&lock);
  KASSERT(!writing, ("a writer is inside"));
  sx_sunlock(&lock);
}

int main(void) {
  sx_init(&lock, "lock");
  kproc_create(writer, 0, 0, 0, 0, "writer");
  kproc_create(reader, 0, 0, 0, 0, "reader");
  return 0;
}
