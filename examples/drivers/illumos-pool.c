// EXPECT: safe
// OPTIONS: --environment illumos --init pool_attach(null,DDI_ATTACH)=0 --entry pool_open --entry pool_close
// Buffers that callers wait for, in the shape of an illumos driver. Whoever wakes up looks again.
#include <sys/types.h>
#include <sys/conf.h>
#include <sys/ddi.h>
#include <sys/debug.h>
#include <sys/devops.h>
#include <sys/ksynch.h>
#include <sys/sunddi.h>

#define BUFFERS 2

static struct pool {
  kmutex_t lock;
  kcondvar_t free;
  int left;
} pool;

static int pool_attach(dev_info_t *device, ddi_attach_cmd_t command) {
  if (command != DDI_ATTACH)
    return DDI_FAILURE;
  mutex_init(&pool.lock, NULL, MUTEX_DRIVER, NULL);
  cv_init(&pool.free, NULL, CV_DRIVER, NULL);
  pool.left = BUFFERS;
  return DDI_SUCCESS;
}

static int pool_open(dev_t *device, int flags, int type, cred_t *credentials) {
  mutex_enter(&pool.lock);
  while (pool.left == 0)
    cv_wait(&pool.free, &pool.lock);
  pool.left--;
  ASSERT3S(pool.left, >=, 0);
  mutex_exit(&pool.lock);
  return DDI_SUCCESS;
}

static int pool_close(dev_t device, int flags, int type, cred_t *credentials) {
  mutex_enter(&pool.lock);
  if (pool.left < BUFFERS) {
    pool.left++;
    cv_signal(&pool.free);
  }
  mutex_exit(&pool.lock);
  return DDI_SUCCESS;
}

static struct cb_ops pool_cb_ops = {
  .cb_open = pool_open,
  .cb_close = pool_close,
  .cb_flag = D_MP,
};

struct dev_ops pool_ops = {
  .devo_rev = DEVO_REV,
  .devo_attach = pool_attach,
  .devo_cb_ops = &pool_cb_ops,
};
