// expect: unsafe [judge: none]
// 128 bits are two accesses.
#include <assert.h>
#include <pthread.h>

static unsigned __int128 shared;
static void *writer(void *arg) {
  shared = (unsigned __int128)-1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  unsigned __int128 v = shared;
  assert(v == 0 || v == (unsigned __int128)-1);
  return 0;
}
