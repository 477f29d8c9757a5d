// expect: safe [options: --no-search] [judge: none]
// The handle of a detached thread that has ended may be given to another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_ulong saved;
void *w(void *a) {
  assert(saved != pthread_self());
  saved = pthread_self();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_attr_t at;
  pthread_attr_init(&at);
  pthread_attr_setdetachstate(&at, PTHREAD_CREATE_JOINABLE);
  for (;;)
    pthread_create(&t, &at, w, 0);
}
