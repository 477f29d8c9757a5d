// EXPECT: unsafe
// As readers-first-last.c, but a reader leaves without the mutex. If another one enters at the same time, its count is lost, and the room is free while it
// reads.
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
  readers--;
  if (readers == 0)
    sem_post(&room);
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
