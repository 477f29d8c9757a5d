// expect: unsafe [judge: none]
// A member that crosses a boundary is not one access on every machine.
#include <assert.h>
#include <pthread.h>

static struct __attribute__((packed)) {
  char pad[62];
  int v;
} shared;
static void *writer(void *arg) {
  shared.v = -1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int v = shared.v;
  assert(v == 0 || v == -1);
  return 0;
}
