// expect: unsafe, must [options: --data-race-check] [judge: tsan]
// Neighbouring bit-fields are one memory location, unless a field of width 0 is between them.
#include <pthread.h>

static struct {
  unsigned a : 4;
  unsigned b : 4;
} s;
static void *worker(void *arg) {
  s.a = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  s.b = 1;
  pthread_join(t, 0);
  return 0;
}
