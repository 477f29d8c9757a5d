// EXPECT: unsafe
// Main joins one thread and reads what the other has perhaps not yet written.
#include <assert.h>
#include <pthread.h>

static int cells[2] = {1, 2};

static void *twice(void *argument) {
  int *cell = argument;
  *cell = 2 * *cell;
  return cell;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, twice, &cells[0]);
  pthread_create(&second, 0, twice, &cells[1]);
  pthread_join(first, 0);
  assert(cells[1] == 4);
  pthread_join(second, 0);
  return 0;
}
