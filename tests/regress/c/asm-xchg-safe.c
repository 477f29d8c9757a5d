// expect: safe, must [judge: none]
// To exchange a register and memory is one step, with or without a prefix.
#include <assert.h>
#include <pthread.h>

static int lock, inside;

static void enter(void) {
  int value = 1;
  do {
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(lock) : : "memory");
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
