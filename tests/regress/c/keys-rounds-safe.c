// expect: safe, must [judge: sanitizers]
// A destructor that sets its value again once: after four rounds the thread ends all the same, and the join returns.
#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static int x, rounds;
static void again(void *value) { rounds++; if (rounds < 2) pthread_setspecific(key, value); }
static void *worker(void *value) { pthread_setspecific(key, value); return 0; }
int main(void) {
  pthread_t t;
  pthread_key_create(&key, again);
  pthread_create(&t, 0, worker, &x);
  pthread_join(t, 0);
  assert(rounds == 2);
  return 0;
}
