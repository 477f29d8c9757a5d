// expect: safe, must [judge: none]
// A lock by compare and exchange, in one step.
#include <assert.h>
#include <pthread.h>

static int lock, inside;

static void enter(void) {
  int old;
  do {
    old = 0;
    __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(old), "+m"(lock) : "r"(1) : "memory", "cc");
  } while (old != 0);
}

static void leave(void) {
  __asm__ volatile("movl $0, %0" : "=m"(lock) : : "memory");
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
