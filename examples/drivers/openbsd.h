// What the drivers here need of an OpenBSD kernel: a mutex that spins, with the names of that kernel, written anew.
#include <assert.h>
#define KASSERT(condition) assert(condition)
#define IPL_TTY 5
#define EBUSY 16
typedef int dev_t;
struct proc;
struct mutex {
  volatile int mtx_owned;
  int mtx_level;
};
static inline void mtx_init(struct mutex *mutex, int level) {
  mutex->mtx_owned = 0;
  mutex->mtx_level = level;
}
static inline void mtx_enter(struct mutex *mutex) {
  while (__sync_lock_test_and_set(&mutex->mtx_owned, 1))
    ;
}
static inline void mtx_leave(struct mutex *mutex) {
  __sync_lock_release(&mutex->mtx_owned);
}
