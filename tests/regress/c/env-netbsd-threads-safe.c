// expect: safe, must [options: --environment netbsd] [judge: none]
// Threads are joined; a lock for readers and writers knows who writes.
#include <sys/param.h>
#include <sys/atomic.h>
#include <sys/kmem.h>
#include <sys/kthread.h>
#include <sys/rwlock.h>

static krwlock_t lock;
static int value;
static volatile unsigned count;

static void writer(void *argument) {
  rw_enter(&lock, RW_WRITER);
  value++;
  KASSERT(rw_write_held(&lock));
  rw_downgrade(&lock);
  KASSERT(value >= 1);
  rw_exit(&lock);
  atomic_inc_uint(&count);
  kthread_exit(0);
  KASSERT(0);
}

int main(void) {
  lwp_t *thread;
  char *memory;
  rw_init(&lock);
  kthread_create(PRI_NONE, KTHREAD_MPSAFE | KTHREAD_MUSTJOIN, NULL, writer, NULL, &thread, "writer");
  kthread_join(thread);
  KASSERT(count == 1);
  memory = kmem_zalloc(8, KM_SLEEP);
  KASSERT(memory[3] == 0);
  kmem_free(memory, 8);
  return 0;
}
