// expect: unsafe, must [judge: none]
// A load and a store are two steps.
#include <assert.h>
#include <pthread.h>

static int lock, inside;

static void enter(void) {
  int value = 1;
  do {
    int old;
    __asm__ volatile("movl %1, %0; movl %2, %1" : "=&r"(old), "+m"(lock) : "r"(value) : "memory");
    value = old;
  } while (value);
}

static void leave(void) {
  __asm__ volatile("" : : : "memory");
  lock = 0;
}

static void *thread(void *argument) {
  enter();
  inside++;
  assert(inside == 1);
  inside--;
  leave();
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, 0);
  pthread_create(&second, 0, thread, 0);
  return 0;
}
