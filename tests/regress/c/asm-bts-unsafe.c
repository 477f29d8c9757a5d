// expect: unsafe, must [judge: none]
// The carry flag says what the bit was; here the lock is entered when it was set by somebody else.
#include <assert.h>
#include <pthread.h>

static int lock, inside;

static void enter(void) {
  unsigned char was;
  do {
    __asm__ volatile("lock btsl $3, %1; setnc %0" : "=q"(was), "+m"(lock) : : "memory", "cc");
  } while (was);
}

static void leave(void) {
  __asm__ volatile("lock btrl $3, %0" : "+m"(lock) : : "memory", "cc");
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
