// EXPECT: unsafe
// Two files have a static variable of the same name; the counter is both files'.
#include "shared.h"
#include <assert.h>
#include <pthread.h>

static int hits;
int counter;

static void bump(void) {
  hits++;
  counter++;
}

void *own(void *unused) {
  bump();
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, own, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(hits == 1);
  assert(total() == 3);
  return 0;
}
