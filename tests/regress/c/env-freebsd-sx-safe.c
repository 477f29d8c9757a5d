// expect: safe, must [options: --environment freebsd] [judge: none]
// Writers and readers exclude each other.
#include <sys/param.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/sx.h>
#include <sys/systm.h>

static struct sx lock;
static int writing;

static void writer(void *argument) {
  sx_xlock(&lock);
  writing = 1;
  writing = 0;
  sx_xunlock(&lock);
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
