// expect: safe, must [judge: none]
// Two threads count; no count is lost.
#include <assert.h>
#include <pthread.h>

static unsigned long count;

static void *thread(void *argument) {
  __asm__ volatile("lock; incq %0" : "+m"(count) : : "memory", "cc");
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(count == 2);
  return 0;
}
