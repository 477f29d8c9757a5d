/* The kernel of OpenBSD, as far as threads can see it. Locks, sleeping and what is done later are models (models/openbsd.c, models/kernel_*.c).
   Atomic operations are sequentially consistent, whatever their names say. Interrupt handlers are threads. */
#ifndef __MONABS_OPENBSD_H
#define __MONABS_OPENBSD_H
#include <monabs/common.h>
#include <monabs/bsd_errno.h>
#include <sys/queue.h>
#define ENOATTR 83
#define EILSEQ 84
#define EOVERFLOW 87
#define ECANCELED 88
#define EIDRM 89
#define ENOMSG 90
#define ENOTSUP 91
#define EBADMSG 92
#define EPROTO 95
#define ERESTART (-1)
#define EJUSTRETURN (-2)

struct proc;
struct device;
struct uio;
#define __predict_true(condition) (condition)
#define __predict_false(condition) (condition)
#define __unused __attribute__((unused))
#define nitems(array) (sizeof(array) / sizeof((array)[0]))

/* Exact. */
#define KASSERT(condition) __monabs_assert((_Bool)(condition), #condition)
#define KASSERTMSG(condition, ...) __monabs_assert((_Bool)(condition), #condition)
#define KDASSERT(condition) __monabs_assert((_Bool)(condition), #condition)
#define CTASSERT(condition) _Static_assert(condition, #condition)

/* Mutexes, which spin. The levels of interrupts have no effect on what threads can do: interrupt handlers are threads, which another processor may run. */
#define IPL_NONE 0
#define IPL_SOFTCLOCK 1
#define IPL_SOFTNET 2
#define IPL_SOFTTTY 3
#define IPL_BIO 4
#define IPL_NET 5
#define IPL_TTY 6
#define IPL_VM 7
#define IPL_AUDIO 8
#define IPL_CLOCK 9
#define IPL_STATCLOCK IPL_CLOCK
#define IPL_SCHED IPL_CLOCK
#define IPL_HIGH 10
#define IPL_MPFLOOR IPL_TTY
#define IPL_MPSAFE 0x100
struct mutex {
  int opaque;
};
#define MUTEX_INITIALIZER(level) {0}
void mtx_init(struct mutex *, int);
void mtx_enter(struct mutex *);
int mtx_enter_try(struct mutex *);
void mtx_leave(struct mutex *);
int __monabs_mtx_owned(struct mutex *);
#define MUTEX_ASSERT_LOCKED(mutex) __monabs_assert(__monabs_mtx_owned(mutex) != 0, "MUTEX_ASSERT_LOCKED(" #mutex ")")
#define MUTEX_ASSERT_UNLOCKED(mutex) __monabs_assert(__monabs_mtx_owned(mutex) == 0, "MUTEX_ASSERT_UNLOCKED(" #mutex ")")

/* Locks for readers and writers. */
struct rwlock {
  struct __monabs_sxlock lock;
};
#define RW_WRITE 1UL
#define RW_READ 2UL
#define RW_DOWNGRADE 4UL
#define RW_OPMASK 7UL
#define RW_INTR 0x10UL
#define RW_SLEEPFAIL 0x20UL
#define RW_NOSLEEP 0x40UL
#define RW_RECURSEFAIL 0x80UL
#define RW_DUPOK 0x100UL
#define RW_WRITE_OTHER 0x100UL
#define RWLOCK_INITIALIZER(name) {{0}}
#define rw_init(rw, name) __monabs_sx_init(&(rw)->lock, 0)
#define rw_init_flags(rw, name, flags) __monabs_sx_init(&(rw)->lock, 0)
#define rw_enter_read(rw) __monabs_sx_read(&(rw)->lock)
#define rw_enter_write(rw) __monabs_sx_write(&(rw)->lock)
#define rw_exit_read(rw) __monabs_sx_end_read(&(rw)->lock)
#define rw_exit_write(rw) __monabs_sx_end_write(&(rw)->lock)
#define rw_exit(rw) __monabs_sx_end(&(rw)->lock)
static inline int rw_enter(struct rwlock *rw, int flags) {
  int taken = 1;
  if (flags & RW_DOWNGRADE) {
    __monabs_sx_downgrade(&rw->lock);
    return 0;
  }
  if ((flags & RW_RECURSEFAIL) && __monabs_sx_mine(&rw->lock))
    return EDEADLK;
  if ((flags & RW_INTR) && __VERIFIER_nondet_bool())
    return EINTR;
  /* To have slept and to fail for it may happen whenever somebody had it at first. */
  if (flags & (RW_NOSLEEP | RW_SLEEPFAIL)) {
    taken = flags & RW_WRITE ? __monabs_sx_try_write(&rw->lock) : __monabs_sx_try_read(&rw->lock);
    return taken ? 0 : flags & RW_NOSLEEP ? EBUSY : EAGAIN;
  }
  if (flags & RW_WRITE)
    __monabs_sx_write(&rw->lock);
  else
    __monabs_sx_read(&rw->lock);
  return 0;
}
static inline int rw_status(struct rwlock *rw) {
  return __monabs_sx_mine(&rw->lock) ? (int)RW_WRITE : __monabs_sx_is_written(&rw->lock) ? (int)RW_WRITE_OTHER : __monabs_sx_is_read(&rw->lock) ? (int)RW_READ : 0;
}
#define rw_assert_wrlock(rw) __monabs_assert(__monabs_sx_mine(&(rw)->lock) != 0, "rw_assert_wrlock(" #rw ")")
#define rw_assert_rdlock(rw) __monabs_assert(__monabs_sx_is_read(&(rw)->lock) != 0, "rw_assert_rdlock(" #rw ")")
#define rw_assert_anylock(rw) __monabs_assert(rw_status(rw) == RW_WRITE || rw_status(rw) == RW_READ, "rw_assert_anylock(" #rw ")")
#define rw_assert_unlocked(rw) __monabs_assert(__monabs_sx_mine(&(rw)->lock) == 0, "rw_assert_unlocked(" #rw ")")

/* The lock around the whole kernel. Timeouts and tasks take it unless they are said to be safe without; entry points have it only if they take it. */
static struct __monabs_sxlock __monabs_kernel;
static _Thread_local unsigned __monabs_kernel_depth;
static inline void KERNEL_LOCK(void) {
  if (__monabs_kernel_depth == 0)
    __monabs_sx_write(&__monabs_kernel);
  __monabs_kernel_depth = __monabs_kernel_depth + 1;
}
static inline void KERNEL_UNLOCK(void) {
  __monabs_kernel_depth = __monabs_kernel_depth - 1;
  if (__monabs_kernel_depth == 0)
    __monabs_sx_end_write(&__monabs_kernel);
}
#define KERNEL_ASSERT_LOCKED() __monabs_assert(__monabs_sx_mine(&__monabs_kernel) != 0, "KERNEL_ASSERT_LOCKED()")
#define KERNEL_ASSERT_UNLOCKED() __monabs_assert(__monabs_sx_mine(&__monabs_kernel) == 0, "KERNEL_ASSERT_UNLOCKED()")

/* Interrupt levels: over-approximated, marked. */
#define splsoftclock() __monabs_spl()
#define splsoftnet() __monabs_spl()
#define splsofttty() __monabs_spl()
#define splbio() __monabs_spl()
#define splnet() __monabs_spl()
#define spltty() __monabs_spl()
#define splvm() __monabs_spl()
#define splaudio() __monabs_spl()
#define splclock() __monabs_spl()
#define splstatclock() __monabs_spl()
#define splsched() __monabs_spl()
#define splhigh() __monabs_spl()
#define splx(level) ((void)(level))
#define spl0() ((void)0)
#define splassert(level) ((void)0)

/* Sleeping on an address. */
#define PCATCH 0x100
#define PNORELOCK 0x200
#define PWAIT 0
#define PRIBIO 0
#define PZERO 0
#define PVM 0
#define INFSLP ((uint64_t)-1)
#define MAXTSLP ((uint64_t)-2)
#define SEC_TO_NSEC(time) ((uint64_t)(time) * 1000000000ull)
#define MSEC_TO_NSEC(time) ((uint64_t)(time) * 1000000ull)
static int hz = 100;
static inline int __monabs_slept(int priority, _Bool timed) {
  if (!(priority & PCATCH) && !timed)
    __monabs_sleep();
  else if (!__monabs_sleep_or())
    return !(priority & PCATCH) || (timed && __VERIFIER_nondet_bool()) ? EWOULDBLOCK : __VERIFIER_nondet_bool() ? EINTR : ERESTART;
  return 0;
}
static inline int __monabs_msleep(const void *channel, struct mutex *mutex, int priority, _Bool timed) {
  int result;
  __CPROVER_atomic_begin();
  if (mutex)
    mtx_leave(mutex);
  __monabs_sleep_on(channel);
  __CPROVER_atomic_end();
  result = __monabs_slept(priority, timed);
  if (mutex && !(priority & PNORELOCK))
    mtx_enter(mutex);
  return result;
}
static inline int __monabs_rwsleep(const void *channel, struct rwlock *rw, int priority, _Bool timed) {
  int result;
  _Bool writes = __monabs_sx_mine(&rw->lock);
  __CPROVER_atomic_begin();
  __monabs_sx_end(&rw->lock);
  __monabs_sleep_on(channel);
  __CPROVER_atomic_end();
  result = __monabs_slept(priority, timed);
  if (!(priority & PNORELOCK) && writes)
    __monabs_sx_write(&rw->lock);
  else if (!(priority & PNORELOCK))
    __monabs_sx_read(&rw->lock);
  return result;
}
#define tsleep(channel, priority, message, timeout) __monabs_msleep((channel), (struct mutex *)0, (priority), (timeout) != 0)
#define tsleep_nsec(channel, priority, message, time) __monabs_msleep((channel), (struct mutex *)0, (priority), (time) != INFSLP)
#define msleep(channel, mutex, priority, message, timeout) __monabs_msleep((channel), (mutex), (priority), (timeout) != 0)
#define msleep_nsec(channel, mutex, priority, message, time) __monabs_msleep((channel), (mutex), (priority), (time) != INFSLP)
#define rwsleep(channel, rw, priority, message, timeout) __monabs_rwsleep((channel), (rw), (priority), (timeout) != 0)
#define rwsleep_nsec(channel, rw, priority, message, time) __monabs_rwsleep((channel), (rw), (priority), (time) != INFSLP)
#define wakeup(channel) __monabs_wake(channel)
#define wakeup_one(channel) __monabs_wake_one(channel)

/* Conditions that are signalled once: exact. */
struct cond {
  unsigned c_wait;
};
#define COND_INITIALIZER() {1}
#define cond_init(condition) __atomic_store_n(&(condition)->c_wait, 1, __ATOMIC_SEQ_CST)
#define cond_signal(condition) __atomic_store_n(&(condition)->c_wait, 0, __ATOMIC_SEQ_CST)
static inline void __monabs_cond_wait(struct cond *condition) {
  __CPROVER_atomic_begin();
  __monabs_wait(condition->c_wait != 0);
  __CPROVER_assume(condition->c_wait == 0);
  __CPROVER_atomic_end();
}
#define cond_wait(condition, message) __monabs_cond_wait(condition)

/* Counts of references: exact. */
struct refcnt {
  unsigned r_refs;
};
#define REFCNT_INITIALIZER() {1}
#define refcnt_init(r) __atomic_store_n(&(r)->r_refs, 1, __ATOMIC_SEQ_CST)
static inline void refcnt_take(struct refcnt *r) {
  unsigned now = __sync_add_and_fetch(&r->r_refs, 1);
  __monabs_assert(now > 1, "refcnt_take of a count that is not zero");
}
static inline int refcnt_rele(struct refcnt *r) {
  unsigned now = __sync_sub_and_fetch(&r->r_refs, 1);
  __monabs_assert(now != (unsigned)-1, "refcnt_rele of a count that is not zero");
  return now == 0;
}
#define refcnt_rele_wake(r) ((void)refcnt_rele(r))
static inline void __monabs_refcnt_finalize(struct refcnt *r) {
  refcnt_rele(r);
  __CPROVER_atomic_begin();
  __monabs_wait(r->r_refs != 0);
  __CPROVER_assume(r->r_refs == 0);
  __CPROVER_atomic_end();
}
#define refcnt_finalize(r, message) __monabs_refcnt_finalize(r)
#define refcnt_shared(r) (__atomic_load_n(&(r)->r_refs, __ATOMIC_SEQ_CST) > 1)

/* Threads: exact. A record of a thread is only compared, never looked into. */
#define curproc ((struct proc *)__monabs_current())
static inline int __monabs_kthread(void (*function)(void *), void *argument, struct proc **record) {
  unsigned long handle = __monabs_kernel_thread(function, argument);
  if (record)
    *record = (struct proc *)handle;
  return 0;
}
#define kthread_create(function, argument, record, name) __monabs_kthread((function), (argument), (record))
#define kthread_create_deferred(function, argument) ((void)__monabs_kthread((function), (argument), (struct proc **)0))
#define kthread_exit(code) __monabs_kernel_exit()

/* Memory: M_WAITOK never fails, M_NOWAIT may. */
#define M_WAITOK 1
#define M_NOWAIT 2
#define M_ZERO 8
#define M_CANFAIL 4
#define M_DEVBUF 2
#define M_TEMP 127
static inline void *__monabs_malloc(size_t size, int flags) {
  if ((flags & (M_NOWAIT | M_CANFAIL)) && __VERIFIER_nondet_bool())
    return 0;
  return flags & M_ZERO ? calloc(1, size) : malloc(size);
}
#define malloc(size, type, flags) __monabs_malloc((size), (flags))
#define free(pointer, type, size) ((void)(size), (free)(pointer))
#include <monabs/openbsd_later.h>
#endif
