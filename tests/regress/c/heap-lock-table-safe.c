// expect: safe, must [judge: tsan]
// A table of objects with locks, made in a loop and never given back.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct cell {
  pthread_mutex_t lock;
  int number;
};
struct cell *table[2];

void *work(void *argument) {
  struct cell *cell = table[(long)argument];
  pthread_mutex_lock(&cell->lock);
  cell->number++;
  pthread_mutex_unlock(&cell->lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  for (int index = 0; index < 2; index++) {
    table[index] = malloc(sizeof(struct cell));
    pthread_mutex_init(&table[index]->lock, 0);
    table[index]->number = 0;
  }
  pthread_create(&first, 0, work, (void *)1);
  pthread_create(&second, 0, work, (void *)1);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(table[0]->number == 0 && table[1]->number == 2);
  return 0;
}
