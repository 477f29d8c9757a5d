// expect: safe [options: --memory-safety-check] [judge: none]
// The last user frees the object with its mutex: behind the unlock, not before.
#include <pthread.h>
#include <stdlib.h>

struct object {
  pthread_mutex_t mutex;
  int users;
};
static struct object *shared;
static void *leave(void *arg) {
  pthread_mutex_lock(&shared->mutex);
  int last = --shared->users == 0;
  pthread_mutex_unlock(&shared->mutex);
  if (last)
    free(shared);
  return arg;
}
int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  if (!shared)
    return 0;
  pthread_mutex_init(&shared->mutex, 0);
  shared->users = 2;
  pthread_create(&t, 0, leave, 0);
  leave(0);
  pthread_join(t, 0);
  return 0;
}
