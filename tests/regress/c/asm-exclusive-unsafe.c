// expect: unsafe, must [judge: none] [options: --no-syntax-check]
// AArch64: the store may fail, and nobody asks.
#include <assert.h>
#include <pthread.h>

static int lock, inside;

static void enter(void) {
  int old, failed;
  do {
    __asm__ volatile("1: ldaxr %w0, %2\n"
                     "cbnz %w0, 2f\n"
                     "stxr %w1, %w3, %2\n"
                     "nop\n"
                     "2:"
                     : "=&r"(old), "=&r"(failed), "+Q"(lock)
                     : "r"(1)
                     : "memory");
  } while (old);
}

static void leave(void) {
  __asm__ volatile("stlr wzr, %0" : "=Q"(lock) : : "memory");
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
