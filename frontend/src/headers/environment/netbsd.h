/* The kernel of NetBSD, as far as threads can see it. Locks, sleeping and what is done later are models (models/solaris.c, models/kernel_*.c).
   Atomic operations are sequentially consistent, whatever their names say. Interrupt handlers are threads. */
#ifndef __MONABS_NETBSD_H
#define __MONABS_NETBSD_H
#include <monabs/common.h>
#include <monabs/bsd_errno.h>
#include <sys/queue.h>
#define EIDRM 82
#define ENOMSG 83
#define EOVERFLOW 84
#define EILSEQ 85
#define ENOTSUP 86
#define ECANCELED 87
#define EBADMSG 88
#define ENODATA 89
#define ETIME 92
#define EPROTO 96
#define EJUSTRETURN (-2)
#define ERESTART (-3)
#define EPASSTHROUGH (-4)
enum __monabs_netbsd { __monabs_netbsd };

struct lwp;
struct proc;
struct cpu_info;
struct uio;
typedef struct lwp lwp_t;
typedef struct device *device_t;
typedef struct cfdata *cfdata_t;
#define __unused __attribute__((unused))
#define __predict_true(condition) (condition)
#define __predict_false(condition) (condition)
#define __arraycount(array) (sizeof(array) / sizeof((array)[0]))
#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))
#define CFATTACH_DECL_NEW(...) struct __hack
#define MODULE(...) struct __hack
#define aprint_normal(...) ((void)0)
#define aprint_error(...) ((void)0)
#define aprint_normal_dev(...) ((void)0)
#define aprint_error_dev(...) ((void)0)
#define device_xname(device) ""

/* Exact. */
#define KASSERT(condition) __monabs_assert((_Bool)(condition), #condition)
#define KASSERTMSG(condition, ...) __monabs_assert((_Bool)(condition), #condition)
#define KDASSERT(condition) __monabs_assert((_Bool)(condition), #condition)
#define CTASSERT(condition) _Static_assert(condition, #condition)

/* Locks. The levels of interrupts have no effect on what threads can do: interrupt handlers are threads, which another processor may run. */
typedef enum krw { RW_READER = 0, RW_WRITER = 1 } krw_t;
typedef enum kmutex_type { MUTEX_SPIN = 0, MUTEX_ADAPTIVE = 1, MUTEX_DEFAULT = 2, MUTEX_DRIVER = 3, MUTEX_NODEBUG = 4 } kmutex_type_t;
#define IPL_NONE 0
#define IPL_SOFTCLOCK 1
#define IPL_SOFTBIO 2
#define IPL_SOFTNET 3
#define IPL_SOFTSERIAL 4
#define IPL_VM 5
#define IPL_BIO IPL_VM
#define IPL_NET IPL_VM
#define IPL_TTY IPL_VM
#define IPL_AUDIO 6
#define IPL_SCHED 7
#define IPL_CLOCK IPL_SCHED
#define IPL_HIGH 8
#include <monabs/solaris_locks.h>
void mutex_spin_enter(kmutex_t *);
void mutex_spin_exit(kmutex_t *);
int cv_wait_sig(kcondvar_t *, kmutex_t *);
int cv_timedwait(kcondvar_t *, kmutex_t *, int);
int cv_timedwait_sig(kcondvar_t *, kmutex_t *, int);
static inline kmutex_t *mutex_obj_alloc(kmutex_type_t type, int level) {
  kmutex_t *mutex = malloc(sizeof(kmutex_t));
  mutex_init(mutex, type, level);
  return mutex;
}

/* The lock around the whole kernel: exact. */
static struct __monabs_sxlock __monabs_kernel;
static inline void __monabs_kernel_lock(void) {
  if (__monabs_sx_mine(&__monabs_kernel))
    __monabs_approximate("the lock around the kernel is taken again");
  else
    __monabs_sx_write(&__monabs_kernel);
}
#define KERNEL_LOCK(count, lwp) __monabs_kernel_lock()
#define KERNEL_UNLOCK_ONE(lwp) __monabs_sx_end_write(&__monabs_kernel)
#define KERNEL_LOCKED_P() __monabs_sx_mine(&__monabs_kernel)

/* Interrupt levels: over-approximated, marked. */
#define splsoftclock() __monabs_spl()
#define splsoftbio() __monabs_spl()
#define splsoftnet() __monabs_spl()
#define splsoftserial() __monabs_spl()
#define splbio() __monabs_spl()
#define splnet() __monabs_spl()
#define spltty() __monabs_spl()
#define splvm() __monabs_spl()
#define splaudio() __monabs_spl()
#define splsched() __monabs_spl()
#define splclock() __monabs_spl()
#define splhigh() __monabs_spl()
#define splx(level) ((void)(level))
#define spl0() ((void)0)

/* Sleeping on an address. */
#define PCATCH 0x100
#define PNORELOCK 0x200
#define PWAIT 0
#define PRIBIO 0
#define PZERO 0
static int hz = 100;
#define mstohz(time) (((time) * hz + 999) / 1000)
static inline int __monabs_mtsleep(const void *channel, int priority, int timeout, kmutex_t *mutex) {
  int result = 0;
  __CPROVER_atomic_begin();
  if (mutex)
    mutex_exit(mutex);
  __monabs_sleep_on(channel);
  __CPROVER_atomic_end();
  if (!(priority & PCATCH) && timeout == 0)
    __monabs_sleep();
  else if (!__monabs_sleep_or())
    result = !(priority & PCATCH) || (timeout != 0 && __VERIFIER_nondet_bool()) ? EWOULDBLOCK : __VERIFIER_nondet_bool() ? EINTR : ERESTART;
  if (mutex && !(priority & PNORELOCK))
    mutex_enter(mutex);
  return result;
}
#define tsleep(channel, priority, message, timeout) __monabs_mtsleep((channel), (priority), (timeout), (kmutex_t *)0)
#define mtsleep(channel, priority, message, timeout, mutex) __monabs_mtsleep((channel), (priority), (timeout), (mutex))
#define wakeup(channel) __monabs_wake(channel)
#define wakeup_one(channel) __monabs_wake_one(channel)
static inline int kpause(const char *message, bool interruptible, int timeout, kmutex_t *mutex) {
  if (mutex) {
    mutex_exit(mutex);
    mutex_enter(mutex);
  }
  return interruptible && __VERIFIER_nondet_bool() ? EINTR : EWOULDBLOCK;
}

/* Threads: exact. A record of a thread is only compared, never looked into. */
#define curlwp ((struct lwp *)__monabs_current())
#define curproc ((struct proc *)__monabs_current())
#define KTHREAD_MPSAFE 1
#define KTHREAD_INTR 2
#define KTHREAD_IDLE 4
#define KTHREAD_MUSTJOIN 8
#define PRI_NONE (-1)
static inline int __monabs_kthread(void (*function)(void *), void *argument, lwp_t **record) {
  unsigned long handle = __monabs_kernel_thread(function, argument);
  if (record)
    *record = (lwp_t *)handle;
  return 0;
}
#define kthread_create(priority, flags, cpu, function, argument, record, ...) __monabs_kthread((function), (argument), (record))
#define kthread_exit(code) __monabs_kernel_exit()
#define kthread_join(record) (pthread_join((pthread_t)(record), 0))

/* Memory: KM_SLEEP never fails, KM_NOSLEEP may. */
#define KM_SLEEP 1
#define KM_NOSLEEP 2
#define kmem_alloc(size, flags) (((flags) & KM_NOSLEEP) && __VERIFIER_nondet_bool() ? (void *)0 : malloc(size))
#define kmem_zalloc(size, flags) (((flags) & KM_NOSLEEP) && __VERIFIER_nondet_bool() ? (void *)0 : calloc(1, (size)))
#define kmem_free(pointer, size) ((void)(size), free(pointer))

/* Atomic operations. */
#include <monabs/solaris_atomic.h>
#define atomic_load_relaxed(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define atomic_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define atomic_load_consume(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define atomic_store_relaxed(p, value) __atomic_store_n((p), (value), __ATOMIC_RELAXED)
#define atomic_store_release(p, value) __atomic_store_n((p), (value), __ATOMIC_RELEASE)
#define cpu_spinwait() ((void)0)
#define SPINLOCK_BACKOFF_HOOK ((void)0)
#include <pthread.h>
#include <monabs/netbsd_later.h>
#endif
