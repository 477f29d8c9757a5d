// expect: unknown [judge: none]
// With data.
#include <assert.h>

int submit(void *(*work)(void *), void *data);
static int x;
static void *job(void *p) {
  *(int *)p = 1;
  return 0;
}
int main(void) {
  submit(job, &x);
  assert(x == 0);
  return 0;
}
