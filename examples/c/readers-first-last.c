// EXPECT: safe
// Two readers and a writer: the first reader takes the room for all readers, the last one gives it back; a mutex guards their count.
// Nobody else writes while somebody reads. In the twin readers-first-last-bug.c a reader leaves without the mutex.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers;
static int data;

static void *reader(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  readers++;
  if (readers == 1)
    sem_wait(&room);
  pthread_mutex_unlock(&mutex);
  int before = data;
  assert(data == before);
  pthread_mutex_lock(&mutex);
  readers--;
  if (readers == 0)
    sem_post(&room);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *writer(void *unused) {
  (void)unused;
  sem_wait(&room);
  data = __VERIFIER_nondet_int();
  sem_post(&room);
  return 0;
}

int main(void) {
  pthread_t handle[3];
  sem_init(&room, 0, 1);
  pthread_create(&handle[0], 0, reader, 0);
  pthread_create(&handle[1], 0, reader, 0);
  pthread_create(&handle[2], 0, writer, 0);
  return 0;
}
