// EXPECT: unsafe
// OPTIONS: --environment freebsd --init dog_attach --entry dog_open --entry dog_detach:1
// A callout that looks after a device, in the shape of a FreeBSD driver. To detach stops the callout, but does not wait for one that runs already.
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/conf.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>

static struct dog_softc {
  struct mtx lock;
  struct callout watchdog;
  int gone;
  int registers;
} dog;

static void dog_watch(void *argument) {
  struct dog_softc *softc = argument;
  KASSERT(softc->registers, ("the registers are not mapped"));
  mtx_lock(&softc->lock);
  if (!softc->gone)
    callout_reset(&softc->watchdog, hz, dog_watch, softc);
  mtx_unlock(&softc->lock);
}

static int dog_attach(void) {
  mtx_init(&dog.lock, "dog", NULL, MTX_DEF);
  callout_init(&dog.watchdog, 1);
  dog.registers = 1;
  return 0;
}

static int dog_open(struct cdev *device, int flags, int type, struct thread *thread) {
  mtx_lock(&dog.lock);
  if (dog.gone) {
    mtx_unlock(&dog.lock);
    return ENXIO;
  }
  callout_reset(&dog.watchdog, hz, dog_watch, &dog);
  mtx_unlock(&dog.lock);
  return 0;
}

static int dog_detach(void) {
  mtx_lock(&dog.lock);
  dog.gone = 1;
  mtx_unlock(&dog.lock);
  callout_stop(&dog.watchdog);
  dog.registers = 0;
  return 0;
}

static struct cdevsw dog_cdevsw = {
  .d_version = D_VERSION,
  .d_open = dog_open,
  .d_name = "dog",
};
