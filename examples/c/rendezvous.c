// EXPECT: safe
// Two threads meet with two semaphores, in every round: each says that it is there, then waits for the other. Their rounds never differ by more
// than one. The twin rendezvous-bug.c has one semaphore for both, from which a thread can take its own token.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t here, there;
static atomic_uint rounds[2];

static void *other(void *unused) {
  (void)unused;
  for (;;) {
    rounds[1]++;
    sem_post(&there);
    sem_wait(&here);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&here, 0, 0);
  sem_init(&there, 0, 0);
  pthread_create(&thread, 0, other, 0);
  for (;;) {
    rounds[0]++;
    sem_post(&here);
    sem_wait(&there);
    unsigned ahead = rounds[1] - rounds[0];
    assert(ahead <= 1);
  }
}
