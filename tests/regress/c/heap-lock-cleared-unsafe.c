// expect: unsafe, must [judge: none]
// Memory that a wrapper clears as a whole, before anybody has seen it, need not be seen as bytes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *clear_new(size_t size) {
  void *made = malloc(size);
  if (!made) {
    abort();
  }
  memset(made, 0, size);
  return made;
}

struct object {
  int number;
  pthread_mutex_t lock;
  char name[8];
};

void *work(void *argument) {
  struct object *object = argument;
  object->number++;
  return 0;
}

int main(void) {
  struct object *object = clear_new(sizeof *object);
  pthread_t first, second;
  pthread_mutex_init(&object->lock, 0);
  pthread_create(&first, 0, work, object);
  pthread_create(&second, 0, work, object);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(object->number == 2 && object->name[7] == 0);
  free(object);
  return 0;
}
