// EXPECT: unsafe
// Peterson's algorithm is for two threads. If two threads play the same part, two can be inside.
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
  visit(1);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  visit(0);
  return 0;
}
