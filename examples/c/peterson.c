// EXPECT: safe
// Peterson's mutual exclusion for two threads with sequentially consistent atomics.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static int inside;

static void visit(int mine) {
  atomic_store(&wants[mine], 1);
  atomic_store(&turn, 1 - mine);
  while (atomic_load(&wants[1 - mine]) && atomic_load(&turn) == 1 - mine) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  atomic_store(&wants[mine], 0);
}

static void *thread(void *unused) {
  for (;;)
    visit(1);
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  for (;;)
    visit(0);
}
