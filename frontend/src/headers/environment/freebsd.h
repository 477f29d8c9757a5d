/* The kernel of FreeBSD, as far as threads can see it. Mutexes and condition variables are models (see models/freebsd.c); all else is here.
   Atomic operations are sequentially consistent, whatever their names say. Interrupt handlers are threads. */
#ifndef __MONABS_FREEBSD_H
#define __MONABS_FREEBSD_H
#include <monabs/common.h>
#include <monabs/bsd_errno.h>
#include <sys/queue.h>
#define ENOTSUP EOPNOTSUPP
#define EIDRM 82
#define ENOMSG 83
#define EOVERFLOW 84
#define ECANCELED 85
#define EILSEQ 86
#define ENOATTR 87
#define EDOOFUS 88
#define EBADMSG 89
#define EPROTO 92
#define ERESTART (-1)
#define EJUSTRETURN (-2)
#define ENOIOCTL (-3)

/* Exact. */
#define KASSERT(condition, message) __monabs_assert((_Bool)(condition), #condition)
#define MPASS(condition) __monabs_assert((_Bool)(condition), #condition)
#define CTASSERT(condition) _Static_assert(condition, #condition)
#define __predict_true(condition) (condition)
#define __predict_false(condition) (condition)
#define nitems(array) (sizeof(array) / sizeof((array)[0]))
#define __unused __attribute__((unused))
#define howmany(x, y) (((x) + ((y)-1)) / (y))
#define rounddown(x, y) (((x) / (y)) * (y))
#define roundup(x, y) ((((x) + ((y)-1)) / (y)) * (y))
#define SYSINIT(...) struct __hack
#define SYSUNINIT(...) struct __hack
#define DEV_MODULE(...) struct __hack
#define DRIVER_MODULE(...) struct __hack
#define MODULE_VERSION(...) struct __hack
#define MODULE_DEPEND(...) struct __hack
#define DECLARE_MODULE(...) struct __hack
#define SYSCTL_INT(...) struct __hack
#define SYSCTL_NODE(...) struct __hack
#define SYSCTL_DECL(...) struct __hack
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
#define MTX_NOWITNESS 8
#define MTX_NOPROFILE 32
#define MTX_QUIET 2
#define MTX_NEW 64
#define MTX_DUPOK 128
#define MA_OWNED 1
#define MA_NOTOWNED 2
#define MA_RECURSED 4
#define MA_NOTRECURSED 8
#define LOCK_FILE ""
#define LOCK_LINE 0
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
#define cv_wmesg(condition) ""

/* Shared and exclusive locks: models (models/kernel_sxlock.c). Who may hold them again is said when they are made. */
struct sx {
  struct __monabs_sxlock lock;
};
#define SX_DUPOK 1
#define SX_NOPROFILE 2
#define SX_NOWITNESS 4
#define SX_QUIET 8
#define SX_NOADAPTIVE 16
#define SX_RECURSE 32
#define SX_NEW 64
#define SA_LOCKED 0
#define SA_SLOCKED 1
#define SA_XLOCKED 2
#define SA_UNLOCKED 4
#define SX_LOCKED SA_LOCKED
#define SX_SLOCKED SA_SLOCKED
#define SX_XLOCKED SA_XLOCKED
#define sx_init(sx, name) __monabs_sx_init(&(sx)->lock, 0)
#define sx_init_flags(sx, name, flags) __monabs_sx_init(&(sx)->lock, (flags) & SX_RECURSE)
#define sx_destroy(sx) __monabs_sx_destroy(&(sx)->lock)
#define sx_slock(sx) __monabs_sx_read(&(sx)->lock)
#define sx_xlock(sx) __monabs_sx_write(&(sx)->lock)
#define sx_slock_sig(sx) (__VERIFIER_nondet_bool() ? 4 : (__monabs_sx_read(&(sx)->lock), 0))
#define sx_xlock_sig(sx) (__VERIFIER_nondet_bool() ? 4 : (__monabs_sx_write(&(sx)->lock), 0))
#define sx_try_slock(sx) __monabs_sx_try_read(&(sx)->lock)
#define sx_try_xlock(sx) __monabs_sx_try_write(&(sx)->lock)
#define sx_sunlock(sx) __monabs_sx_end_read(&(sx)->lock)
#define sx_xunlock(sx) __monabs_sx_end_write(&(sx)->lock)
#define sx_unlock(sx) __monabs_sx_end(&(sx)->lock)
#define sx_downgrade(sx) __monabs_sx_downgrade(&(sx)->lock)
#define sx_try_upgrade(sx) __monabs_sx_try_upgrade(&(sx)->lock)
#define sx_xlocked(sx) __monabs_sx_mine(&(sx)->lock)
#define sx_assert(sx, what) __monabs_assert(__monabs_sx_holds(&(sx)->lock, (what)), "sx_assert(" #sx ", " #what ")")
static inline _Bool __monabs_sx_holds(struct __monabs_sxlock *lock, int what) {
  _Bool mine = __monabs_sx_mine(lock), read = __monabs_sx_is_read(lock);
  return what == SA_XLOCKED ? mine : what == SA_SLOCKED ? read : what == SA_UNLOCKED ? !mine : mine || read;
}

/* Reader and writer locks: like sx. */
struct rwlock {
  struct __monabs_sxlock lock;
};
#define RW_RECURSE 32
#define RA_LOCKED SA_LOCKED
#define RA_RLOCKED SA_SLOCKED
#define RA_WLOCKED SA_XLOCKED
#define RA_UNLOCKED SA_UNLOCKED
#define rw_init(rw, name) __monabs_sx_init(&(rw)->lock, 0)
#define rw_init_flags(rw, name, flags) __monabs_sx_init(&(rw)->lock, (flags) & RW_RECURSE)
#define rw_destroy(rw) __monabs_sx_destroy(&(rw)->lock)
#define rw_rlock(rw) __monabs_sx_read(&(rw)->lock)
#define rw_wlock(rw) __monabs_sx_write(&(rw)->lock)
#define rw_try_rlock(rw) __monabs_sx_try_read(&(rw)->lock)
#define rw_try_wlock(rw) __monabs_sx_try_write(&(rw)->lock)
#define rw_runlock(rw) __monabs_sx_end_read(&(rw)->lock)
#define rw_wunlock(rw) __monabs_sx_end_write(&(rw)->lock)
#define rw_unlock(rw) __monabs_sx_end(&(rw)->lock)
#define rw_downgrade(rw) __monabs_sx_downgrade(&(rw)->lock)
#define rw_try_upgrade(rw) __monabs_sx_try_upgrade(&(rw)->lock)
#define rw_wowned(rw) __monabs_sx_mine(&(rw)->lock)
#define rw_assert(rw, what) __monabs_assert(__monabs_sx_holds(&(rw)->lock, (what)), "rw_assert(" #rw ", " #what ")")

/* Sleeping on an address: models (models/kernel_sleep.c). The result is any of 0, EINTR, ERESTART and EWOULDBLOCK where the call can have it. */
#define PCATCH 0x100
#define PDROP 0x200
#define PWAIT 0
#define PSOCK 0
#define PZERO 0
#define PVM 0
#define PRIBIO 0
static inline int __monabs_msleep(const void *channel, struct mtx *mutex, int priority, int timeout) {
  int result = 0;
  __CPROVER_atomic_begin();
  if (mutex)
    mtx_unlock(mutex);
  __monabs_sleep_on(channel);
  __CPROVER_atomic_end();
  if (!(priority & PCATCH) && timeout == 0)
    __monabs_sleep();
  else if (!__monabs_sleep_or())
    result = !(priority & PCATCH) || (timeout != 0 && __VERIFIER_nondet_bool()) ? EWOULDBLOCK : __VERIFIER_nondet_bool() ? EINTR : ERESTART;
  if (mutex && !(priority & PDROP))
    mtx_lock(mutex);
  return result;
}
#define wakeup(channel) __monabs_wake(channel)
#define wakeup_one(channel) __monabs_wake_one(channel)
#define wakeup_any(channel) __monabs_wake_one(channel)
#define msleep(channel, mutex, priority, message, timeout) __monabs_msleep(channel, mutex, priority, timeout)
#define msleep_sbt(channel, mutex, priority, message, timeout, precision, flags) __monabs_msleep(channel, mutex, priority, (timeout) != 0)
#define mtx_sleep(channel, mutex, priority, message, timeout) __monabs_msleep(channel, mutex, priority, timeout)
#define msleep_spin(channel, mutex, message, timeout) __monabs_msleep(channel, mutex, 0, timeout)
#define tsleep(channel, priority, message, timeout) __monabs_msleep(channel, (struct mtx *)0, priority, timeout)
#define pause(message, timeout) ((void)(timeout), EWOULDBLOCK)
static int hz = 1000;

/* Threads: exact. A record of a thread is only compared, never looked into. */
#define curthread ((struct thread *)__monabs_current())
#define curproc ((struct proc *)__monabs_current())
static inline int __monabs_kthread(void (*function)(void *), void *argument, void *record) {
  unsigned long handle = __monabs_kernel_thread(function, argument);
  if (record)
    *(unsigned long *)record = handle;
  return 0;
}
#define kproc_create(function, argument, process, flags, pages, ...) __monabs_kthread(function, argument, (process))
#define kthread_add(function, argument, process, thread, flags, pages, ...) __monabs_kthread(function, argument, (thread))
#define kproc_exit(status) __monabs_kernel_exit()
#define kthread_exit() __monabs_kernel_exit()
#define kproc_suspend_check(process) ((void)(process))

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

/* Semaphores: models (models/freebsd_semaphore.c). */
struct sema {
  struct mtx sema_mtx;
  struct cv sema_cv;
  int sema_waiters;
  int sema_value;
};
void sema_init(struct sema *, int, const char *);
void sema_destroy(struct sema *);
void _sema_post(struct sema *, const char *, int);
void _sema_wait(struct sema *, const char *, int);
int _sema_timedwait(struct sema *, int, const char *, int);
int _sema_trywait(struct sema *, const char *, int);
int sema_value(struct sema *);
#define sema_post(sema) _sema_post((sema), LOCK_FILE, LOCK_LINE)
#define sema_wait(sema) _sema_wait((sema), LOCK_FILE, LOCK_LINE)
#define sema_timedwait(sema, ticks) _sema_timedwait((sema), (ticks), LOCK_FILE, LOCK_LINE)
#define sema_trywait(sema) _sema_trywait((sema), LOCK_FILE, LOCK_LINE)

/* Interrupt levels: interrupt handlers are threads of another processor, which these do not stop. */
#define critical_enter() ((void)0)
#define critical_exit() ((void)0)

/* Messages: no effect. */
#define KTR_LOCK 0
#define CTR0(...) ((void)0)
#define CTR1(...) ((void)0)
#define CTR2(...) ((void)0)
#define CTR3(...) ((void)0)
#define CTR4(...) ((void)0)
#define CTR5(...) ((void)0)
#define CTR6(...) ((void)0)
#include <monabs/freebsd_later.h>
#endif
