/* The kernel of FreeBSD, as far as threads can see it. Mutexes and condition variables are models (see models/freebsd.c); all else is here.
   Atomic operations are sequentially consistent, whatever their names say. Interrupt handlers are threads. */
#ifndef __MONABS_FREEBSD_H
#define __MONABS_FREEBSD_H
#include <monabs/common.h>
#include <sys/queue.h>

/* Exact. */
#define KASSERT(condition, message) __monabs_assert((_Bool)(condition), #condition)
#define MPASS(condition) __monabs_assert((_Bool)(condition), #condition)
#define CTASSERT(condition) _Static_assert(condition, #condition)
#define __predict_true(condition) (condition)
#define __predict_false(condition) (condition)
#define nitems(array) (sizeof(array) / sizeof((array)[0]))
#define __containerof(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

struct thread;
struct proc;

/* Mutexes: models. Sleeping and spinning is the same for what threads can do. */
struct mtx {
  int opaque;
};
#define MTX_DEF 0
#define MTX_SPIN 1
#define MTX_RECURSE 4
#define MTX_NEW 64
#define MTX_DUPOK 128
#define MA_OWNED 1
#define MA_NOTOWNED 2
void mtx_init(struct mtx *, const char *, const char *, int);
void mtx_destroy(struct mtx *);
void mtx_lock(struct mtx *);
void mtx_lock_spin(struct mtx *);
int mtx_trylock(struct mtx *);
void mtx_unlock(struct mtx *);
void mtx_unlock_spin(struct mtx *);
int mtx_owned(struct mtx *);
int mtx_recursed(struct mtx *);
#define mtx_assert(mutex, what) \
  __monabs_assert(((what) & MA_OWNED) ? mtx_owned(mutex) != 0 : mtx_owned(mutex) == 0, "mtx_assert(" #mutex ", " #what ")")

/* Condition variables: models. */
struct cv {
  int opaque;
};
void cv_init(struct cv *, const char *);
void cv_destroy(struct cv *);
void cv_wait(struct cv *, struct mtx *);
void cv_wait_unlock(struct cv *, struct mtx *);
int cv_wait_sig(struct cv *, struct mtx *);
int cv_timedwait(struct cv *, struct mtx *, int);
int cv_timedwait_sig(struct cv *, struct mtx *, int);
void cv_signal(struct cv *);
void cv_broadcast(struct cv *);

/* Shared and exclusive locks. Exact but for who holds them and for recursion, which waits for ever. */
struct sx {
  struct __monabs_shared_lock lock;
};
#define SX_NOWITNESS 4
#define SX_DUPOK 1
#define sx_init(sx, name) __monabs_shared_init(&(sx)->lock)
#define sx_init_flags(sx, name, flags) __monabs_shared_init(&(sx)->lock)
#define sx_destroy(sx) ((void)(sx))
#define sx_slock(sx) __monabs_shared_read(&(sx)->lock)
#define sx_xlock(sx) __monabs_shared_write(&(sx)->lock)
#define sx_try_slock(sx) __monabs_shared_try_read(&(sx)->lock)
#define sx_try_xlock(sx) __monabs_shared_try_write(&(sx)->lock)
#define sx_sunlock(sx) __monabs_shared_end_read(&(sx)->lock)
#define sx_xunlock(sx) __monabs_shared_end_write(&(sx)->lock)
#define sx_downgrade(sx) __monabs_shared_downgrade(&(sx)->lock)
#define sx_try_upgrade(sx) __monabs_shared_try_upgrade(&(sx)->lock)
static inline void sx_unlock(struct sx *sx) {
  __CPROVER_atomic_begin();
  __monabs_assert(sx->lock.writer || sx->lock.readers != 0, "sx_unlock of a lock that is held");
  if (sx->lock.writer)
    sx->lock.writer = 0;
  else
    sx->lock.readers = sx->lock.readers - 1;
  __CPROVER_atomic_end();
}

/* Reader and writer locks: like sx. */
struct rwlock {
  struct __monabs_shared_lock lock;
};
#define rw_init(rw, name) __monabs_shared_init(&(rw)->lock)
#define rw_destroy(rw) ((void)(rw))
#define rw_rlock(rw) __monabs_shared_read(&(rw)->lock)
#define rw_wlock(rw) __monabs_shared_write(&(rw)->lock)
#define rw_try_rlock(rw) __monabs_shared_try_read(&(rw)->lock)
#define rw_try_wlock(rw) __monabs_shared_try_write(&(rw)->lock)
#define rw_runlock(rw) __monabs_shared_end_read(&(rw)->lock)
#define rw_wunlock(rw) __monabs_shared_end_write(&(rw)->lock)
#define rw_downgrade(rw) __monabs_shared_downgrade(&(rw)->lock)
#define rw_try_upgrade(rw) __monabs_shared_try_upgrade(&(rw)->lock)

/* Sleeping on an address: exact up to the clock. Each thread has the address that it sleeps on; wakeup() clears that of all who have the same.
   wakeup_one() wakes any set of them, as cv_signal() does. The result is any of 0, EINTR, ERESTART and EWOULDBLOCK where the call can have it. */
#define PCATCH 0x100
#define PDROP 0x200
#define PWAIT 0
#define PSOCK 0
#define PZERO 0
extern uintptr_t __CPROVER_passive();
static _Thread_local const void *__monabs_channel;
static _Thread_local _Bool __monabs_sleeping;
static inline int __monabs_msleep(const void *channel, struct mtx *mutex, int priority, int timeout) {
  int result = 0;
  _Bool gives_up = __VERIFIER_nondet_bool();
  __CPROVER_atomic_begin();
  if (mutex)
    mtx_unlock(mutex);
  __monabs_channel = channel;
  __monabs_sleeping = 1;
  __CPROVER_atomic_end();
  if ((priority & PCATCH) && gives_up)
    result = __VERIFIER_nondet_bool() ? 4 : -1;
  else if (timeout != 0 && gives_up)
    result = 35;
  __CPROVER_atomic_begin();
  if (result != 0)
    __monabs_sleeping = 0;
  __CPROVER_assume(!__monabs_sleeping);
  __CPROVER_atomic_end();
  if (mutex && !(priority & PDROP))
    mtx_lock(mutex);
  return result;
}
static inline void wakeup(const void *channel) {
__CPROVER_passive_broadcast:
  __monabs_sleeping = __CPROVER_passive(__monabs_sleeping) && (const void *)__CPROVER_passive(__monabs_channel) != channel;
}
static inline void wakeup_one(const void *channel) {
__CPROVER_passive_broadcast:
  __monabs_sleeping = __CPROVER_passive(__monabs_sleeping) &&
                      ((const void *)__CPROVER_passive(__monabs_channel) != channel || __VERIFIER_nondet_bool());
}
#define msleep(channel, mutex, priority, message, timeout) __monabs_msleep(channel, mutex, priority, timeout)
#define mtx_sleep(channel, mutex, priority, message, timeout) __monabs_msleep(channel, mutex, priority, timeout)
#define msleep_spin(channel, mutex, message, timeout) __monabs_msleep(channel, mutex, 0, timeout)
#define tsleep(channel, priority, message, timeout) __monabs_msleep(channel, (struct mtx *)0, priority, timeout)
#define pause(message, timeout) ((void)(timeout), 35)
static int hz = 1000;

/* Threads: exact. The record of a thread is not modelled. */
static inline void __monabs_kthread(void (*function)(void *), void *argument) {
__CPROVER_ASYNC_1:
  function(argument);
}
#define kproc_create(function, argument, process, flags, pages, ...) (__monabs_kthread(function, argument), 0)
#define kthread_add(function, argument, process, thread, flags, pages, ...) (__monabs_kthread(function, argument), 0)

/* Memory: M_WAITOK never fails, M_NOWAIT may. */
struct malloc_type {
  int opaque;
};
#define M_NOWAIT 1
#define M_WAITOK 2
#define M_ZERO 0x100
#define MALLOC_DEFINE(type, short_name, long_name) struct malloc_type type[1]
#define MALLOC_DECLARE(type) extern struct malloc_type type[1]
#define malloc(size, type, flags) \
  (((flags) & M_NOWAIT) && __VERIFIER_nondet_bool() ? (void *)0 : ((flags) & M_ZERO) ? calloc(1, size) : (malloc)(size))
#define free(pointer, type) (free)(pointer)

/* Atomic operations: exact, and stronger than asked for. */
#define __MONABS_ATOMIC(name, type) \
  static inline void atomic_add_##name(volatile type *p, type v) { __sync_fetch_and_add(p, v); } \
  static inline void atomic_subtract_##name(volatile type *p, type v) { __sync_fetch_and_sub(p, v); } \
  static inline void atomic_set_##name(volatile type *p, type v) { __sync_fetch_and_or(p, v); } \
  static inline void atomic_clear_##name(volatile type *p, type v) { __sync_fetch_and_and(p, ~v); } \
  static inline int atomic_cmpset_##name(volatile type *p, type old, type new) { return __sync_bool_compare_and_swap(p, old, new); } \
  static inline int atomic_fcmpset_##name(volatile type *p, type *old, type new) { \
    type found = __sync_val_compare_and_swap(p, *old, new); \
    int same = found == *old; \
    *old = found; \
    return same; \
  } \
  static inline type atomic_fetchadd_##name(volatile type *p, type v) { return __sync_fetch_and_add(p, v); } \
  static inline type atomic_swap_##name(volatile type *p, type v) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); } \
  static inline type atomic_readandclear_##name(volatile type *p) { return __atomic_exchange_n(p, 0, __ATOMIC_SEQ_CST); } \
  static inline type atomic_load_acq_##name(volatile type *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); } \
  static inline void atomic_store_rel_##name(volatile type *p, type v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); } \
  static inline int atomic_cmpset_acq_##name(volatile type *p, type old, type new) { return atomic_cmpset_##name(p, old, new); } \
  static inline int atomic_cmpset_rel_##name(volatile type *p, type old, type new) { return atomic_cmpset_##name(p, old, new); } \
  static inline void atomic_add_acq_##name(volatile type *p, type v) { __sync_fetch_and_add(p, v); } \
  static inline void atomic_add_rel_##name(volatile type *p, type v) { __sync_fetch_and_add(p, v); } \
  static inline void atomic_subtract_rel_##name(volatile type *p, type v) { __sync_fetch_and_sub(p, v); }
__MONABS_ATOMIC(int, unsigned)
__MONABS_ATOMIC(long, unsigned long)
__MONABS_ATOMIC(32, uint32_t)
__MONABS_ATOMIC(64, uint64_t)
__MONABS_ATOMIC(ptr, uintptr_t)
#undef __MONABS_ATOMIC
#define mb() __sync_synchronize()
#define rmb() __sync_synchronize()
#define wmb() __sync_synchronize()
#define atomic_thread_fence_acq() __sync_synchronize()
#define atomic_thread_fence_rel() __sync_synchronize()
#define atomic_thread_fence_seq_cst() __sync_synchronize()
#define cpu_spinwait() ((void)0)

/* Reference counts: exact. */
static inline void refcount_init(volatile unsigned *count, unsigned value) {
  __atomic_store_n(count, value, __ATOMIC_SEQ_CST);
}
static inline void refcount_acquire(volatile unsigned *count) {
  unsigned old = __sync_fetch_and_add(count, 1);
  KASSERT(old != 0xffffffffu, ("refcount overflow"));
}
static inline int refcount_release(volatile unsigned *count) {
  unsigned old = __sync_fetch_and_sub(count, 1);
  KASSERT(old > 0, ("negative refcount"));
  return old == 1;
}

/* Semaphores: exact. */
struct sema {
  unsigned value;
};
#define sema_init(sema, number, description) ((void)((sema)->value = (number)))
#define sema_destroy(sema) ((void)(sema))
#define sema_wait(sema) __monabs_count_wait(&(sema)->value)
#define sema_trywait(sema) __monabs_count_try(&(sema)->value)
#define sema_post(sema) __monabs_count_post(&(sema)->value)

/* Interrupt levels: interrupt handlers are threads of another processor, which these do not stop. */
#define critical_enter() ((void)0)
#define critical_exit() ((void)0)
#endif
