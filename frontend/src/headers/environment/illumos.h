/* The kernel of illumos, as far as threads can see it. Locks and what is done later are models (models/solaris.c, models/kernel_*.c).
   Atomic operations are sequentially consistent, whatever their names say. Interrupt handlers are threads. */
#ifndef __MONABS_ILLUMOS_H
#define __MONABS_ILLUMOS_H
#include <monabs/common.h>
#include <errno.h>
#include <pthread.h>
enum __monabs_illumos { __monabs_illumos };

typedef enum { B_FALSE = 0, B_TRUE = 1 } boolean_t;
typedef unsigned char uchar_t;
typedef unsigned short ushort_t;
typedef unsigned uint_t;
typedef unsigned long ulong_t;
typedef long long longlong_t;
typedef unsigned long long u_longlong_t;
typedef long long hrtime_t;
typedef unsigned long pgcnt_t;
typedef int pri_t;
typedef struct _kthread kthread_t;
typedef struct proc proc_t;
typedef struct cred cred_t;
typedef struct dev_info dev_info_t;
#define minclsyspri 60
#define maxclsyspri 99
#define TS_RUN 2
#define CE_CONT 0
#define CE_NOTE 1
#define CE_WARN 2
#define CE_PANIC 3
#define CE_IGNORE 4
#define cmn_err(level, ...) __monabs_assert((level) != CE_PANIC, "cmn_err(CE_PANIC, ...)")

/* Exact. */
#define ASSERT(condition) __monabs_assert((_Bool)(condition), #condition)
#define VERIFY(condition) __monabs_assert((_Bool)(condition), #condition)
#define ASSERT0(x) __monabs_assert((x) == 0, #x " == 0")
#define VERIFY0(x) __monabs_assert((x) == 0, #x " == 0")
#define ASSERT3S(x, is, y) __monabs_assert((int64_t)(x)is(int64_t)(y), #x " " #is " " #y)
#define ASSERT3U(x, is, y) __monabs_assert((uint64_t)(x)is(uint64_t)(y), #x " " #is " " #y)
#define ASSERT3P(x, is, y) __monabs_assert((uintptr_t)(x)is(uintptr_t)(y), #x " " #is " " #y)
#define ASSERT3B(x, is, y) __monabs_assert((boolean_t)(x)is(boolean_t)(y), #x " " #is " " #y)
#define VERIFY3S(x, is, y) ASSERT3S(x, is, y)
#define VERIFY3U(x, is, y) ASSERT3U(x, is, y)
#define VERIFY3P(x, is, y) ASSERT3P(x, is, y)
#define VERIFY3B(x, is, y) ASSERT3B(x, is, y)
#define IMPLY(a, b) __monabs_assert(!(a) || (b), #a " implies " #b)
#define EQUIV(a, b) __monabs_assert(!(a) == !(b), #a " is equivalent to " #b)
#define CTASSERT(condition) _Static_assert(condition, #condition)

/* Locks. */
typedef enum { RW_WRITER = 0, RW_READER = 1 } krw_t;
typedef enum { RW_DRIVER = 2, RW_DEFAULT = 4 } krw_type_t;
typedef enum { MUTEX_ADAPTIVE = 0, MUTEX_SPIN = 1, MUTEX_DRIVER = 4, MUTEX_DEFAULT = 6 } kmutex_type_t;
typedef enum { CV_DEFAULT = 0, CV_DRIVER = 1 } kcv_type_t;
typedef enum { SEMA_DEFAULT = 0, SEMA_DRIVER = 1 } ksema_type_t;
#include <monabs/solaris_locks.h>
#define MUTEX_HELD(mutex) mutex_owned(mutex)
#define MUTEX_NOT_HELD(mutex) (!mutex_owned(mutex))
#define RW_READ_HELD(rw) rw_read_held(rw)
#define RW_WRITE_HELD(rw) rw_write_held(rw)
#define RW_LOCK_HELD(rw) rw_lock_held(rw)
typedef enum { TR_CLOCK_TICK, TR_SEC, TR_MILLISEC, TR_MICROSEC, TR_NANOSEC, TR_COUNT } time_res_t;
void __monabs_cv_signal_one(kcondvar_t *);
int __monabs_cv_wait_sig(kcondvar_t *, kmutex_t *);
long __monabs_cv_timedwait(kcondvar_t *, kmutex_t *, long);
long __monabs_cv_timedwait_sig(kcondvar_t *, kmutex_t *, long);
#define cv_signal(condition) __monabs_cv_signal_one(condition)
#define cv_wait_sig(condition, mutex) __monabs_cv_wait_sig((condition), (mutex))
#define cv_timedwait(condition, mutex, time) __monabs_cv_timedwait((condition), (mutex), (time))
#define cv_reltimedwait(condition, mutex, time, unit) __monabs_cv_timedwait((condition), (mutex), (time))
#define cv_timedwait_sig(condition, mutex, time) __monabs_cv_timedwait_sig((condition), (mutex), (time))
#define cv_reltimedwait_sig(condition, mutex, time, unit) __monabs_cv_timedwait_sig((condition), (mutex), (time))
#define ddi_get_lbolt() ((clock_t)__monabs_clock())
#define drv_usectohz(time) ((clock_t)(time) / 10000 + 1)
#define drv_usecwait(time) ((void)(time))
#define delay(ticks) ((void)(ticks))

/* Semaphores: exact. */
typedef struct ksema {
  unsigned count;
} ksema_t;
#define sema_init(s, value, name, type, cookie) __atomic_store_n(&(s)->count, (value), __ATOMIC_SEQ_CST)
#define sema_destroy(s) ((void)(s))
#define sema_p(s) __monabs_count_wait(&(s)->count)
#define sema_p_sig(s) (__VERIFIER_nondet_bool() ? 1 : (__monabs_count_wait(&(s)->count), 0))
#define sema_tryp(s) __monabs_count_try(&(s)->count)
#define sema_v(s) __monabs_count_post(&(s)->count)

/* Interrupt levels: over-approximated, marked. */
#define splhi() __monabs_spl()
#define spltty() __monabs_spl()
#define splr(level) __monabs_spl()
#define splx(level) ((void)(level))
#define kpreempt_disable() ((void)0)
#define kpreempt_enable() ((void)0)

/* Threads: exact. A record of a thread is only compared, never looked into. */
#define curthread ((kthread_t *)__monabs_current())
#define curproc ((proc_t *)__monabs_current())
#define thread_create(stack, size, function, argument, length, process, state, priority) \
  ((kthread_t *)__monabs_kernel_thread((void (*)(void *))(function), (argument)))
#define thread_exit() __monabs_kernel_exit()
#define thread_join(id) ((void)pthread_join((pthread_t)(id), 0))

/* Memory: KM_SLEEP never fails, KM_NOSLEEP may. */
#define KM_SLEEP 0
#define KM_NOSLEEP 1
#define kmem_alloc(size, flags) (((flags) & KM_NOSLEEP) && __VERIFIER_nondet_bool() ? (void *)0 : malloc(size))
#define kmem_zalloc(size, flags) (((flags) & KM_NOSLEEP) && __VERIFIER_nondet_bool() ? (void *)0 : calloc(1, (size)))
#define kmem_free(pointer, size) ((void)(size), free(pointer))

#include <monabs/solaris_atomic.h>
#include <monabs/illumos_later.h>
#include <monabs/illumos_device.h>
#endif
