// EXPECT: unsafe
// The wait is not in a loop. POSIX permits a thread to wake up although nobody has signalled. See kernel-condition.c.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *produce(void *unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  pthread_mutex_lock(&mutex);
  if (!ready)
    pthread_cond_wait(&condition, &mutex);
  assert(ready);
  pthread_mutex_unlock(&mutex);
  return 0;
}
