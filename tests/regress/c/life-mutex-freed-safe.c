// expect: safe, must [options: --memory-safety-check] [judge: none]
// A mutex is memory, too: it must not be used after its end.
#include <pthread.h>
#include <stdlib.h>

struct object {
  pthread_mutex_t mutex;
};
int main(void) {
  struct object *o = malloc(sizeof *o);
  if (!o)
    return 0;
  pthread_mutex_init(&o->mutex, 0);
  pthread_mutex_lock(&o->mutex);
  pthread_mutex_unlock(&o->mutex);
  free(o);
  return 0;
}
