// EXPECT: safe
// OPTIONS: --init cell_attach(null,DDI_ATTACH)=0 --entry cell_open --entry cell_detach
// A device that is not taken away while it is in use, in the shape of an illumos driver. It is looked at whether somebody has it open.
#include "illumos.h"

static struct cell {
  kmutex_t lock;
  int present;
  int in_use;
} cell;

static int cell_attach(dev_info_t *device, ddi_attach_cmd_t command) {
  if (command != DDI_ATTACH)
    return DDI_FAILURE;
  mutex_init(&cell.lock, "cell", MUTEX_DRIVER, 0);
  cell.present = 1;
  return DDI_SUCCESS;
}

static int cell_open(dev_t *device, int flags, int type, cred_t *credentials) {
  mutex_enter(&cell.lock);
  if (!cell.present) {
    mutex_exit(&cell.lock);
    return DDI_FAILURE;
  }
  cell.in_use = 1;
  mutex_exit(&cell.lock);
  ASSERT(cell.present);
  return DDI_SUCCESS;
}

static int cell_detach(dev_info_t *device, ddi_detach_cmd_t command) {
  mutex_enter(&cell.lock);
  if (command != DDI_DETACH || cell.in_use) {
    mutex_exit(&cell.lock);
    return DDI_FAILURE;
  }
  cell.present = 0;
  mutex_exit(&cell.lock);
  return DDI_SUCCESS;
}

static struct cb_ops cell_cb_ops = {
  .cb_open = cell_open,
};

struct dev_ops cell_ops = {
  .devo_attach = cell_attach,
  .devo_detach = cell_detach,
  .devo_cb_ops = &cell_cb_ops,
};
