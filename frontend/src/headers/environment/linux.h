/* The kernel of Linux, as far as threads can see it. Mutexes and spin locks are models (see models/linux.c); all else is here.
   Atomic operations are sequentially consistent, whatever their names say. Interrupt handlers, timers and work queues are threads. */
#ifndef __MONABS_LINUX_H
#define __MONABS_LINUX_H
#include <monabs/common.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned gfp_t;
#define GFP_KERNEL 0
#define GFP_ATOMIC 1
#define __init
#define __exit
#define __user
#define __iomem
#define __read_mostly
#define __must_check
#define likely(condition) (condition)
#define unlikely(condition) (condition)
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))
#define EXPORT_SYMBOL(name) struct __hack
#define EXPORT_SYMBOL_GPL(name) struct __hack
#define MODULE_LICENSE(text) struct __hack
#define THIS_MODULE ((struct module *)0)
#define __maybe_unused __attribute__((unused))
#define MODULE_AUTHOR(text) struct __hack
#define MODULE_DESCRIPTION(text) struct __hack
#define module_init(function) struct __hack
#define module_exit(function) struct __hack
#define printk(...) 0
#define pr_info(...) ((void)0)
#define pr_warn(...) ((void)0)
#define pr_err(...) ((void)0)
#define pr_debug(...) ((void)0)

/* BUG_ON must not happen, WARN_ON may. */
#define BUG_ON(condition) __monabs_assert(!(condition), "BUG_ON(" #condition ")")
#define BUG() __monabs_assert(0, "BUG()")
#define WARN_ON(condition) ((condition) ? 1 : 0)
#define WARN_ON_ONCE(condition) ((condition) ? 1 : 0)
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), #condition)
#define WARN(condition, ...) ((condition) ? 1 : 0)
#define IS_ERR(pointer) ((unsigned long)(pointer) >= (unsigned long)-4095)
#define PTR_ERR(pointer) ((long)(pointer))
#define ERR_PTR(error) ((void *)(long)(error))
#define IS_ERR_OR_NULL(pointer) (!(pointer) || IS_ERR(pointer))
#include <errno.h>
#define ERESTARTSYS 512

/* Accesses that are one step, and barriers. */
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value) __atomic_store_n(&(x), (value), __ATOMIC_RELAXED)
#define smp_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) __atomic_store_n((p), (value), __ATOMIC_RELEASE)
#define barrier() __asm__ volatile("" : : : "memory")
#define smp_mb() __sync_synchronize()
#define smp_rmb() __sync_synchronize()
#define smp_wmb() __sync_synchronize()
#define mb() __sync_synchronize()
#define rmb() __sync_synchronize()
#define wmb() __sync_synchronize()
#define cpu_relax() ((void)0)
#define cmpxchg(p, old, new) __sync_val_compare_and_swap((p), (old), (new))
#define xchg(p, value) __atomic_exchange_n((p), (value), __ATOMIC_SEQ_CST)

/* Locks: models. Interrupts are threads, so to switch them off has no effect on what threads can do. */
struct mutex {
  int opaque;
};
#define DEFINE_MUTEX(name) struct mutex name
void mutex_init(struct mutex *);
void mutex_destroy(struct mutex *);
void mutex_lock(struct mutex *);
int mutex_lock_interruptible(struct mutex *);
int mutex_lock_killable(struct mutex *);
int mutex_trylock(struct mutex *);
void mutex_unlock(struct mutex *);
int mutex_is_locked(struct mutex *);
typedef struct {
  int opaque;
} spinlock_t;
#define DEFINE_SPINLOCK(name) spinlock_t name
void spin_lock_init(spinlock_t *);
void spin_lock(spinlock_t *);
void spin_lock_irq(spinlock_t *);
void spin_lock_bh(spinlock_t *);
void spin_lock_irqsave(spinlock_t *, unsigned long);
int spin_trylock(spinlock_t *);
void spin_unlock(spinlock_t *);
void spin_unlock_irq(spinlock_t *);
void spin_unlock_bh(spinlock_t *);
void spin_unlock_irqrestore(spinlock_t *, unsigned long);
int spin_is_locked(spinlock_t *);
#define spin_lock_irqsave(lock, flags) ((flags) = 0, spin_lock_irqsave((lock), (flags)))
typedef spinlock_t raw_spinlock_t;
#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name
#define raw_spin_lock_init(lock) spin_lock_init(lock)
#define raw_spin_lock(lock) spin_lock(lock)
#define raw_spin_unlock(lock) spin_unlock(lock)
#define raw_spin_lock_irqsave(lock, flags) spin_lock_irqsave(lock, flags)
#define raw_spin_unlock_irqrestore(lock, flags) spin_unlock_irqrestore(lock, flags)
#define lockdep_assert_held(lock) ((void)(lock))
#define in_interrupt() (0)
#define local_irq_save(flags) ((void)((flags) = 0))
#define local_irq_restore(flags) ((void)(flags))
#define local_irq_disable() ((void)0)
#define local_irq_enable() ((void)0)
#define preempt_disable() ((void)0)
#define preempt_enable() ((void)0)
#define might_sleep() ((void)0)

/* Locks for readers and writers. Exact but for who holds them. */
typedef struct {
  struct __monabs_sxlock lock;
} rwlock_t;
struct rw_semaphore {
  struct __monabs_sxlock lock;
};
#define DEFINE_RWLOCK(name) rwlock_t name
#define DECLARE_RWSEM(name) struct rw_semaphore name
#define rwlock_init(l) __monabs_sx_init(&(l)->lock, 0)
#define read_lock(l) __monabs_sx_read(&(l)->lock)
#define write_lock(l) __monabs_sx_write(&(l)->lock)
#define read_trylock(l) __monabs_sx_try_read(&(l)->lock)
#define write_trylock(l) __monabs_sx_try_write(&(l)->lock)
#define read_unlock(l) __monabs_sx_end_read(&(l)->lock)
#define write_unlock(l) __monabs_sx_end_write(&(l)->lock)
#define read_lock_bh(l) read_lock(l)
#define read_unlock_bh(l) read_unlock(l)
#define write_lock_bh(l) write_lock(l)
#define write_unlock_bh(l) write_unlock(l)
#define read_lock_irq(l) read_lock(l)
#define read_unlock_irq(l) read_unlock(l)
#define write_lock_irq(l) write_lock(l)
#define write_unlock_irq(l) write_unlock(l)
#define read_lock_irqsave(l, flags) ((flags) = 0, read_lock(l))
#define read_unlock_irqrestore(l, flags) ((void)(flags), read_unlock(l))
#define write_lock_irqsave(l, flags) ((flags) = 0, write_lock(l))
#define write_unlock_irqrestore(l, flags) ((void)(flags), write_unlock(l))
#define init_rwsem(l) __monabs_sx_init(&(l)->lock, 0)
#define down_read(l) __monabs_sx_read(&(l)->lock)
#define down_write(l) __monabs_sx_write(&(l)->lock)
#define down_read_trylock(l) __monabs_sx_try_read(&(l)->lock)
#define down_write_trylock(l) __monabs_sx_try_write(&(l)->lock)
#define up_read(l) __monabs_sx_end_read(&(l)->lock)
#define up_write(l) __monabs_sx_end_write(&(l)->lock)
#define downgrade_write(l) __monabs_sx_downgrade(&(l)->lock)

/* Semaphores and completions: exact. complete_all() lets about 2^31 threads pass, as in Linux. */
struct semaphore {
  unsigned count;
};
#define DEFINE_SEMAPHORE(name, number) struct semaphore name = {number}
#define sema_init(s, number) ((void)((s)->count = (number)))
#define down(s) __monabs_count_wait(&(s)->count)
#define down_interruptible(s) (__VERIFIER_nondet_bool() ? -4 : (__monabs_count_wait(&(s)->count), 0))
#define down_trylock(s) (!__monabs_count_try(&(s)->count))
#define up(s) __monabs_count_post(&(s)->count)
struct completion {
  unsigned done;
};
#define DECLARE_COMPLETION(name) struct completion name
#define init_completion(c) ((void)((c)->done = 0))
#define reinit_completion(c) ((void)((c)->done = 0))
static inline void wait_for_completion(struct completion *c) {
  __CPROVER_atomic_begin();
  __monabs_wait(c->done == 0);
  __CPROVER_assume(c->done != 0);
  if (c->done != 0xffffffffu)
    c->done = c->done - 1;
  __CPROVER_atomic_end();
}
static inline void complete(struct completion *c) {
  __CPROVER_atomic_begin();
  if (c->done != 0xffffffffu)
    c->done = c->done + 1;
  __CPROVER_atomic_end();
}
static inline void complete_all(struct completion *c) {
  __atomic_store_n(&c->done, 0xffffffffu, __ATOMIC_SEQ_CST);
}

/* Wait queues: the condition is tried again and again, as if there were a wake-up at any time. Lost wake-ups do not show. */
typedef struct {
  int opaque;
} wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name
#define init_waitqueue_head(queue) ((void)(queue))
#define wait_event(queue, condition) \
  do { \
  } while (!(condition))
#define wait_event_interruptible(queue, condition) \
  ({ \
    int __result = 0; \
    while (!(condition)) { \
      if (__VERIFIER_nondet_bool()) { \
        __result = -512; \
        break; \
      } \
    } \
    __result; \
  })
#define wake_up(queue) ((void)(queue))
#define wake_up_all(queue) ((void)(queue))
#define wake_up_interruptible(queue) ((void)(queue))
#define wait_event_timeout(queue, condition, time) \
  ({ \
    long __left = __VERIFIER_nondet_int(); \
    while (!(condition)) { \
      if (__VERIFIER_nondet_bool()) { \
        __left = 0; \
        break; \
      } \
    } \
    __CPROVER_assume(__left >= 0); \
    __left; \
  })
#define wake_up_interruptible_all(queue) ((void)(queue))
#define wait_for_completion_interruptible(c) (__VERIFIER_nondet_bool() ? -512 : (wait_for_completion(c), 0))
#define try_wait_for_completion(c) __monabs_count_try(&(c)->done)
#define completion_done(c) ((c)->done != 0)
#define schedule() ((void)0)
#define cond_resched() ((void)0)
#define msleep(time) ((void)(time))
#define udelay(time) ((void)(time))

/* Memory: may fail. */
#define kmalloc(size, flags) (__VERIFIER_nondet_bool() ? (void *)0 : malloc(size))
#define kzalloc(size, flags) (__VERIFIER_nondet_bool() ? (void *)0 : calloc(1, (size)))
#define kcalloc(number, size, flags) (__VERIFIER_nondet_bool() ? (void *)0 : calloc((number), (size)))
#define kfree(pointer) free((void *)(pointer))

#include <monabs/linux_later.h>

/* Atomic integers: exact, and stronger than asked for. */
typedef struct {
  int counter;
} atomic_t;
typedef struct {
  s64 counter;
} atomic64_t;
#define ATOMIC_INIT(value) {(value)}
#define __MONABS_ATOMIC(a, t, i) \
  static inline i a##_read(const t *v) { return __atomic_load_n(&v->counter, __ATOMIC_RELAXED); } \
  static inline void a##_set(t *v, i n) { __atomic_store_n(&v->counter, n, __ATOMIC_RELAXED); } \
  static inline void a##_add(i n, t *v) { __sync_fetch_and_add(&v->counter, n); } \
  static inline void a##_sub(i n, t *v) { __sync_fetch_and_sub(&v->counter, n); } \
  static inline void a##_inc(t *v) { __sync_fetch_and_add(&v->counter, 1); } \
  static inline void a##_dec(t *v) { __sync_fetch_and_sub(&v->counter, 1); } \
  static inline void a##_or(i n, t *v) { __sync_fetch_and_or(&v->counter, n); } \
  static inline void a##_and(i n, t *v) { __sync_fetch_and_and(&v->counter, n); } \
  static inline i a##_add_return(i n, t *v) { return __sync_add_and_fetch(&v->counter, n); } \
  static inline i a##_sub_return(i n, t *v) { return __sync_sub_and_fetch(&v->counter, n); } \
  static inline i a##_inc_return(t *v) { return __sync_add_and_fetch(&v->counter, 1); } \
  static inline i a##_dec_return(t *v) { return __sync_sub_and_fetch(&v->counter, 1); } \
  static inline i a##_fetch_add(i n, t *v) { return __sync_fetch_and_add(&v->counter, n); } \
  static inline i a##_fetch_inc(t *v) { return __sync_fetch_and_add(&v->counter, 1); } \
  static inline bool a##_dec_and_test(t *v) { return __sync_sub_and_fetch(&v->counter, 1) == 0; } \
  static inline bool a##_inc_and_test(t *v) { return __sync_add_and_fetch(&v->counter, 1) == 0; } \
  static inline bool a##_sub_and_test(i n, t *v) { return __sync_sub_and_fetch(&v->counter, n) == 0; } \
  static inline i a##_cmpxchg(t *v, i old, i new) { return __sync_val_compare_and_swap(&v->counter, old, new); } \
  static inline i a##_xchg(t *v, i new) { return __atomic_exchange_n(&v->counter, new, __ATOMIC_SEQ_CST); } \
  static inline bool a##_add_unless(t *v, i n, i u) { \
    bool added; \
    __CPROVER_atomic_begin(); \
    added = v->counter != u; \
    if (added) \
      v->counter = v->counter + n; \
    __CPROVER_atomic_end(); \
    return added; \
  } \
  static inline bool a##_inc_not_zero(t *v) { return a##_add_unless(v, 1, 0); }
__MONABS_ATOMIC(atomic, atomic_t, int)
__MONABS_ATOMIC(atomic64, atomic64_t, s64)
#undef __MONABS_ATOMIC

/* Reference counts: exact, without saturation, whose cases are errors. */
typedef struct {
  atomic_t refs;
} refcount_t;
#define REFCOUNT_INIT(value) {{(value)}}
static inline void refcount_set(refcount_t *r, int n) { atomic_set(&r->refs, n); }
static inline unsigned refcount_read(const refcount_t *r) { return (unsigned)atomic_read(&r->refs); }
static inline void refcount_inc(refcount_t *r) {
  __monabs_assert(atomic_fetch_add(1, &r->refs) != 0, "refcount_inc of a count that is not zero");
}
static inline bool refcount_inc_not_zero(refcount_t *r) { return atomic_inc_not_zero(&r->refs); }
static inline bool refcount_dec_and_test(refcount_t *r) {
  int old = atomic_fetch_add(-1, &r->refs);
  __monabs_assert(old != 0, "refcount_dec_and_test of a count that is not zero");
  return old == 1;
}
struct kref {
  refcount_t refcount;
};
static inline void kref_init(struct kref *k) { refcount_set(&k->refcount, 1); }
static inline void kref_get(struct kref *k) { refcount_inc(&k->refcount); }
static inline int kref_put(struct kref *k, void (*release)(struct kref *)) {
  if (!refcount_dec_and_test(&k->refcount))
    return 0;
  release(k);
  return 1;
}

/* Bits: exact. Names with two underscores are not atomic. */
#define BITS_PER_LONG (8 * (int)sizeof(long))
#define BIT(number) (1ul << (number))
#define __MONABS_MASK(n) (1ul << ((n) % BITS_PER_LONG))
#define __MONABS_WORD(n, a) (&(a)[(n) / BITS_PER_LONG])
static inline void set_bit(long n, volatile unsigned long *a) { __sync_fetch_and_or(__MONABS_WORD(n, a), __MONABS_MASK(n)); }
static inline void clear_bit(long n, volatile unsigned long *a) { __sync_fetch_and_and(__MONABS_WORD(n, a), ~__MONABS_MASK(n)); }
static inline void change_bit(long n, volatile unsigned long *a) { __sync_fetch_and_xor(__MONABS_WORD(n, a), __MONABS_MASK(n)); }
static inline bool test_bit(long n, const volatile unsigned long *a) {
  return (__atomic_load_n(__MONABS_WORD(n, a), __ATOMIC_RELAXED) & __MONABS_MASK(n)) != 0;
}
static inline bool test_and_set_bit(long n, volatile unsigned long *a) {
  return (__sync_fetch_and_or(__MONABS_WORD(n, a), __MONABS_MASK(n)) & __MONABS_MASK(n)) != 0;
}
static inline bool test_and_clear_bit(long n, volatile unsigned long *a) {
  return (__sync_fetch_and_and(__MONABS_WORD(n, a), ~__MONABS_MASK(n)) & __MONABS_MASK(n)) != 0;
}
static inline void __set_bit(long n, volatile unsigned long *a) { *__MONABS_WORD(n, a) |= __MONABS_MASK(n); }
static inline void __clear_bit(long n, volatile unsigned long *a) { *__MONABS_WORD(n, a) &= ~__MONABS_MASK(n); }
#define clear_bit_unlock(n, a) clear_bit(n, a)
#define test_and_set_bit_lock(n, a) test_and_set_bit(n, a)

/* Lists: exact, and not atomic. */
struct list_head {
  struct list_head *next, *prev;
};
#define LIST_HEAD_INIT(name) {&(name), &(name)}
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *list) {
  list->next = list;
  list->prev = list;
}
static inline void __monabs_list_add(struct list_head *entry, struct list_head *before, struct list_head *after) {
  after->prev = entry;
  entry->next = after;
  entry->prev = before;
  before->next = entry;
}
static inline void list_add(struct list_head *entry, struct list_head *head) { __monabs_list_add(entry, head, head->next); }
static inline void list_add_tail(struct list_head *entry, struct list_head *head) { __monabs_list_add(entry, head->prev, head); }
static inline void list_del(struct list_head *entry) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  entry->next = 0;
  entry->prev = 0;
}
static inline void list_del_init(struct list_head *entry) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  INIT_LIST_HEAD(entry);
}
static inline int list_empty(const struct list_head *head) { return head->next == head; }
#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_for_each(at, head) for (at = (head)->next; at != (head); at = at->next)
#define list_for_each_safe(at, rest, head) for (at = (head)->next, rest = at->next; at != (head); at = rest, rest = at->next)
static inline void list_move(struct list_head *entry, struct list_head *head) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  list_add(entry, head);
}
static inline void list_move_tail(struct list_head *entry, struct list_head *head) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  list_add_tail(entry, head);
}
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member) (list_empty(head) ? (type *)0 : list_first_entry(head, type, member))
#define list_for_each_entry_safe(at, rest, head, member) \
  for (at = list_entry((head)->next, __typeof__(*at), member), rest = list_entry(at->member.next, __typeof__(*at), member); \
       &at->member != (head); at = rest, rest = list_entry(rest->member.next, __typeof__(*rest), member))
#define list_for_each_entry(at, head, member) \
  for (at = list_entry((head)->next, __typeof__(*at), member); &at->member != (head); \
       at = list_entry(at->member.next, __typeof__(*at), member))
#endif
