// expect: unsafe [options: --memory-safety-check] [judge: none]
// The last one frees: counted at once, or in two steps.
#include <pthread.h>
#include <stdlib.h>

struct object {
  int count;
  int data;
};
static struct object *o;
static void *worker(void *arg) {
  o->data;
  __sync_sub_and_fetch(&o->count, 1);
  if (o->count == 0)
    free(o);
  return arg;
}
int main(void) {
  pthread_t a, b;
  o = malloc(sizeof *o);
  if (!o)
    return 0;
  o->count = 2;
  o->data = 0;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_exit(0);
}
