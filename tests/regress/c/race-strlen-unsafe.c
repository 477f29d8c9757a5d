// expect: unsafe [options: --data-race-check] [judge: tsan]
#include <pthread.h>
#include <string.h>

static char s[8] = "abc";
static void *worker(void *arg) {
  s[1] = 'x';
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  unsigned long n = strlen(s);
  pthread_join(t, 0);
  return n == 77;
}
