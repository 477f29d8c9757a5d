// What the drivers here need of a FreeBSD kernel: shapes of its structs, written anew.
#include <assert.h>
#define KASSERT(condition, message) assert(condition)
#define EAGAIN 35
#define ENOSPC 28
struct mtx { int opaque; };
struct cdev;
struct uio;
struct thread;
struct cdevsw {
  int (*d_open)(struct cdev *, int, int, struct thread *);
  int (*d_read)(struct cdev *, struct uio *, int);
  int (*d_write)(struct cdev *, struct uio *, int);
};
void mtx_init(struct mtx *, const char *, const char *, int);
void mtx_lock(struct mtx *);
void mtx_unlock(struct mtx *);
