// EXPECT: unsafe
// As philosophers.c, but they put the first fork back before they eat.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int eating;

static void *dine(void *argument) {
  long seat = (long)argument;
  pthread_mutex_lock(&forks[seat]);
  if (pthread_mutex_trylock(&forks[(seat + 1) % SEATS]) == 0) {
    pthread_mutex_unlock(&forks[seat]);
    eating++;
    assert(eating == 1);
    eating--;
    pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
  } else {
    pthread_mutex_unlock(&forks[seat]);
  }
  return 0;
}

int main(void) {
  pthread_t threads[SEATS];
  for (long i = 0; i < SEATS; i++)
    pthread_create(&threads[i], 0, dine, (void *)i);
  for (int i = 0; i < SEATS; i++)
    pthread_join(threads[i], 0);
  return 0;
}
