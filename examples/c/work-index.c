// EXPECT: safe
// Two workers share four jobs: whoever moves the index does the job. Each job is done once. In the twin work-index-bug.c, reading the index
// and moving it are two steps, and a job is done twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define JOBS 4

static atomic_int next;
static int done[JOBS];

static void *work(void *unused) {
  (void)unused;
  for (;;) {
    int job = atomic_fetch_add(&next, 1);
    if (job >= JOBS)
      return 0;
    done[job]++;
  }
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  for (int i = 0; i < JOBS; i++)
    assert(done[i] == 1);
  return 0;
}
