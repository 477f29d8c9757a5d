// expect: unsafe [options: --data-race-check] [judge: none]
// Another thread joins by it.
#include <pthread.h>
#include <semaphore.h>

static pthread_t t;
static sem_t ready;
static void *worker(void *arg) { return arg; }
static void *joiner(void *arg) {
  pthread_t copy = t;
  if (copy)
    (void)copy;
  return arg;
}
int main(void) {
  pthread_t j;
  sem_init(&ready, 0, 0);
  pthread_create(&j, 0, joiner, 0);
  pthread_create(&t, 0, worker, 0);
  sem_post(&ready);
  pthread_join(j, 0);
  return 0;
}
