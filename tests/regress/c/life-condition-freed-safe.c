// expect: safe, must [options: --memory-safety-check] [judge: none]
// Signals need no state here, but the condition variable has to be there.
#include <pthread.h>
#include <stdlib.h>

struct object {
  int value;
  pthread_cond_t condition;
};
int main(void) {
  struct object *o = malloc(sizeof *o);
  if (!o)
    return 0;
  pthread_cond_init(&o->condition, 0);
  pthread_cond_signal(&o->condition);
  free(o);
  return 0;
}
