// EXPECT: safe
// Linux: an interrupt handler and system calls share a list's length under a spin lock. With any number of both.
#include <assert.h>
#include "verifier.h"

typedef struct {
  int opaque;
} spinlock_t;
void spin_lock_init(spinlock_t *lock);
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
void spin_lock_irqsave(spinlock_t *lock, unsigned long flags);
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);

static spinlock_t lock;
static unsigned length, copy;

static void interrupt(void) {
  spin_lock(&lock);
  length++;
  copy++;
  spin_unlock(&lock);
}

static void system_call(void) {
  unsigned long flags = 0;
  spin_lock_irqsave(&lock, flags);
  assert(length == copy);
  length = 0;
  copy = 0;
  spin_unlock_irqrestore(&lock, flags);
}

int main(void) {
  spin_lock_init(&lock);
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
    __CPROVER_ASYNC_1:
      interrupt();
    } else {
    __CPROVER_ASYNC_2:
      system_call();
    }
  }
  return 0;
}
