// EXPECT: safe
// OPTIONS: --environment openbsd --init sensor_attach --entry sensor_intr:1 --entry sensor_detach:1
// An interrupt that leaves its work to a task, in the shape of an OpenBSD driver. To detach waits for the task.
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/device.h>
#include <sys/mutex.h>
#include <sys/task.h>

static struct sensor_softc {
  struct mutex lock;
  struct task task;
  struct taskq *queue;
  int dying;
  int mapped;
} sensor;

static void sensor_refresh(void *argument) {
  struct sensor_softc *softc = argument;
  KASSERT(softc->mapped);
}

static void sensor_attach(struct device *parent, struct device *self, void *aux) {
  mtx_init(&sensor.lock, IPL_BIO);
  task_set(&sensor.task, sensor_refresh, &sensor);
  sensor.queue = systqmp;
  sensor.mapped = 1;
}

static int sensor_intr(void *argument) {
  mtx_enter(&sensor.lock);
  if (!sensor.dying)
    task_add(sensor.queue, &sensor.task);
  mtx_leave(&sensor.lock);
  return 1;
}

static int sensor_detach(struct device *self, int flags) {
  mtx_enter(&sensor.lock);
  sensor.dying = 1;
  mtx_leave(&sensor.lock);
  taskq_del_barrier(sensor.queue, &sensor.task);
  sensor.mapped = 0;
  return 0;
}
