/* Locks that illumos and NetBSD have under the same names. Mutexes and condition variables are models (models/solaris.c), locks for readers and writers, too
   (models/kernel_sxlock.c). */
#ifndef __MONABS_SOLARIS_LOCKS_H
#define __MONABS_SOLARIS_LOCKS_H
typedef struct kmutex {
  int opaque;
} kmutex_t;
void mutex_init(kmutex_t *, ...);
void mutex_destroy(kmutex_t *);
void mutex_enter(kmutex_t *);
void mutex_exit(kmutex_t *);
int mutex_tryenter(kmutex_t *);
int mutex_owned(kmutex_t *);
typedef struct kcondvar {
  int opaque;
} kcondvar_t;
void cv_init(kcondvar_t *, ...);
void cv_destroy(kcondvar_t *);
void cv_wait(kcondvar_t *, kmutex_t *);
void cv_signal(kcondvar_t *);
void cv_broadcast(kcondvar_t *);

typedef struct krwlock {
  struct __monabs_sxlock lock;
} krwlock_t;
#define rw_init(rw, ...) __monabs_sx_init(&(rw)->lock, 0)
#define rw_destroy(rw) __monabs_sx_destroy(&(rw)->lock)
#define rw_enter(rw, how) ((how) == RW_READER ? __monabs_sx_read(&(rw)->lock) : __monabs_sx_write(&(rw)->lock))
#define rw_tryenter(rw, how) ((how) == RW_READER ? __monabs_sx_try_read(&(rw)->lock) : __monabs_sx_try_write(&(rw)->lock))
#define rw_exit(rw) __monabs_sx_end(&(rw)->lock)
#define rw_downgrade(rw) __monabs_sx_downgrade(&(rw)->lock)
#define rw_tryupgrade(rw) __monabs_sx_try_upgrade(&(rw)->lock)
#define rw_write_held(rw) __monabs_sx_mine(&(rw)->lock)
#define rw_read_held(rw) __monabs_sx_is_read(&(rw)->lock)
#define rw_lock_held(rw) (__monabs_sx_is_read(&(rw)->lock) || __monabs_sx_is_written(&(rw)->lock))
#endif
