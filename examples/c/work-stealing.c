// EXPECT: safe
// A deque of two jobs: its owner takes jobs at the bottom, a thief at the top. Only for the last job do they compete, by compare-and-swap.
// No job is done twice. In the twin work-stealing-bug.c the owner takes the last job without asking.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define JOBS 2

static atomic_int top, bottom = JOBS;
static atomic_bool done[JOBS];

static void execute(int job) {
  assert(!atomic_exchange(&done[job], 1));
}

static void take(void) {
  int mine = bottom - 1;
  bottom = mine;
  int first = top;
  if (first < mine) {
    execute(mine);
    return;
  }
  if (first == mine && atomic_compare_exchange_strong(&top, &first, mine + 1))
    execute(mine);
  bottom = mine + 1;
}

static void *steal(void *unused) {
  (void)unused;
  for (int i = 0; i < JOBS; i++) {
    int first = top;
    if (first < bottom && atomic_compare_exchange_strong(&top, &first, first + 1))
      execute(first);
  }
  return 0;
}

int main(void) {
  pthread_t thief;
  pthread_create(&thief, 0, steal, 0);
  for (int i = 0; i < JOBS; i++)
    take();
  pthread_join(thief, 0);
  return 0;
}
