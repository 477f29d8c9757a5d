// EXPECT: unsafe
// As work-closing.c, but workers go home as soon as the queue is closed, even if jobs are left.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, done;
static bool closed;

static void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (waiting == 0 && !closed)
      pthread_cond_wait(&changed, &mutex);
    if (closed)
      break;
    waiting--;
    done++;
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void submit(void) {
  pthread_mutex_lock(&mutex);
  waiting++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&workers[i], 0, work, 0);
  for (int i = 0; i < 3; i++)
    submit();
  pthread_mutex_lock(&mutex);
  closed = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; i++)
    pthread_join(workers[i], 0);
  assert(done == 3);
  return 0;
}
