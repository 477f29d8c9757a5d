// What the drivers here need of a NetBSD kernel: shapes of its types, written anew.
#include <assert.h>
#define KASSERT(condition) assert(condition)
#define MUTEX_DEFAULT 0
#define IPL_VM 4
typedef struct kmutex { int opaque; } kmutex_t;
typedef struct kcondvar { int opaque; } kcondvar_t;
typedef unsigned long dev_t;
struct uio;
struct lwp;
typedef struct device *device_t;
struct cdevsw {
  int (*d_open)(dev_t, int, int, struct lwp *);
  int (*d_read)(dev_t, struct uio *, int);
};
void mutex_init(kmutex_t *, int, int);
void mutex_enter(kmutex_t *);
void mutex_exit(kmutex_t *);
void cv_init(kcondvar_t *, const char *);
void cv_wait(kcondvar_t *, kmutex_t *);
void cv_signal(kcondvar_t *);
