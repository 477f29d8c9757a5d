// expect: unsafe, must [options: --data-race-check] [judge: none]
// What memcmp reads does not end at the first difference.
#include <pthread.h>
#include <string.h>

static char a[4] = "aaa", b[4] = "baa";
static void *compare(void *arg) {
  return memcmp(a, b, 4) == 0 ? arg : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, compare, 0);
  a[2] = 'x';
  pthread_join(t, 0);
  return 0;
}
