// expect: safe, must [judge: none]
// The zero flag is an output: it says whether the exchange took place.
#include <assert.h>
#include <pthread.h>

static int lock, inside;

static void enter(void) {
  _Bool taken;
  do {
    int expected = 0;
    __asm__ volatile("lock cmpxchgl %3, %1" : "=@ccz"(taken), "+m"(lock), "+a"(expected) : "r"(1) : "memory");
  } while (!taken);
}

static void leave(void) {
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
