// expect: unsafe [judge: none]
// A stack without locks: the top has the address of before, but its successor is another one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
};
static struct node *top, *second;
static void *popper(void *arg) {
  struct node *t = top;
  struct node *n = second;
  if (t && n && __sync_bool_compare_and_swap(&top, t, n))
    assert(second == n);
  return arg;
}
int main(void) {
  pthread_t a;
  struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
  if (!x || !y)
    return 0;
  second = y;
  top = x;
  pthread_create(&a, 0, popper, 0);
  if (__sync_bool_compare_and_swap(&top, x, 0)) {
    free(x);
    struct node *z = malloc(sizeof *z);
    second = 0;
    __sync_bool_compare_and_swap(&top, 0, z);
  }
  return 0;
}
