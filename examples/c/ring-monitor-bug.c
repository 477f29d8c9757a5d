// EXPECT: unsafe
// As ring-monitor.c, but a consumer that wakes up does not look again: the other one was faster, or nobody had called.
#include <assert.h>
#include <pthread.h>

#define SLOTS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int ring[SLOTS], in, out, count;

static void send(int item) {
  pthread_mutex_lock(&mutex);
  while (count == SLOTS)
    pthread_cond_wait(&not_full, &mutex);
  ring[in] = item;
  in = (in + 1) % SLOTS;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static void *receive(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (count == 0)
    pthread_cond_wait(&not_empty, &mutex);
  int item = ring[out];
  assert(item != 0);
  ring[out] = 0;
  out = (out + 1) % SLOTS;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t consumers[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&consumers[i], 0, receive, 0);
  send(1);
  send(2);
  for (int i = 0; i < 2; i++)
    pthread_join(consumers[i], 0);
  assert(count == 0 && in == out);
  return 0;
}
