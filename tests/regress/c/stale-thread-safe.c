// expect: safe, must [judge: none]
// A thread keeps a pointer to a local of its creator, which is gone when the next thread uses it.
#include <assert.h>
#include <pthread.h>

int *kept;

void *add(void *argument) {
  int *number = kept ? kept : argument;
  *number += 1;
  kept = 0;
  return 0;
}

void visit(void) {
  int x = 0;
  pthread_t thread;
  pthread_create(&thread, 0, add, &x);
  pthread_join(thread, 0);
  assert(x == 1);
}

int main(void) {
  visit();
  visit();
  return 0;
}
