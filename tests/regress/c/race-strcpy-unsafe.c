// expect: unsafe [options: --data-race-check] [judge: none]
// Accesses inside library functions.
#include <pthread.h>
#include <string.h>

static char s[8] = "a";
static void *worker(void *arg) {
  strcpy(s, "bc");
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int v = s[0];
  pthread_join(t, 0);
  return v == 'z';
}
