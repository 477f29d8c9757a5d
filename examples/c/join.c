// EXPECT: safe
// Main reads what two threads have written after it has joined them; join also gives back what they return.
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
  void *result;
  pthread_create(&first, 0, twice, &cells[0]);
  pthread_create(&second, 0, twice, &cells[1]);
  pthread_join(first, &result);
  assert(result == &cells[0] && cells[0] == 2);
  pthread_join(second, 0);
  assert(cells[1] == 4);
  return 0;
}
