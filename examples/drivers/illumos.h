// What the drivers here need of an illumos kernel: shapes of its types, written anew.
#include <assert.h>
#define ASSERT(condition) assert(condition)
#define DDI_SUCCESS 0
#define DDI_FAILURE (-1)
#define MUTEX_DRIVER 4
typedef struct kmutex { int opaque; } kmutex_t;
typedef unsigned long dev_t;
typedef struct dev_info dev_info_t;
typedef struct cred cred_t;
typedef enum { DDI_ATTACH, DDI_RESUME } ddi_attach_cmd_t;
typedef enum { DDI_DETACH, DDI_SUSPEND } ddi_detach_cmd_t;
struct cb_ops {
  int (*cb_open)(dev_t *, int, int, cred_t *);
  int (*cb_close)(dev_t, int, int, cred_t *);
};
struct dev_ops {
  int (*devo_attach)(dev_info_t *, ddi_attach_cmd_t);
  int (*devo_detach)(dev_info_t *, ddi_detach_cmd_t);
  struct cb_ops *devo_cb_ops;
};
void mutex_init(kmutex_t *, char *, int, void *);
void mutex_enter(kmutex_t *);
void mutex_exit(kmutex_t *);
