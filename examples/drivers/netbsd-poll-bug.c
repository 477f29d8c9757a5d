// EXPECT: unsafe
// OPTIONS: --environment netbsd --init poll_attach --entry poll_read --entry poll_detach:1
// A device that is asked again and again by a callout, in the shape of a NetBSD driver. The callout does not look whether the device is about to go, and to detach stops it without waiting.
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/conf.h>
#include <sys/mutex.h>

static struct poll_softc {
  kmutex_t lock;
  callout_t clock;
  bool dying;
  bool mapped;
} poll;

static void poll_tick(void *argument) {
  struct poll_softc *softc = argument;
  mutex_enter(&softc->lock);
  KASSERT(softc->mapped);
  if (!softc->dying)
    callout_schedule(&softc->clock, hz);
  mutex_exit(&softc->lock);
}

static void poll_attach(device_t parent, device_t self, void *aux) {
  mutex_init(&poll.lock, MUTEX_DEFAULT, IPL_NONE);
  callout_init(&poll.clock, CALLOUT_MPSAFE);
  callout_setfunc(&poll.clock, poll_tick, &poll);
  poll.mapped = true;
}

static int poll_read(dev_t device, struct uio *uio, int flags) {
  mutex_enter(&poll.lock);
  if (poll.dying) {
    mutex_exit(&poll.lock);
    return EIO;
  }
  callout_schedule(&poll.clock, hz);
  mutex_exit(&poll.lock);
  return 0;
}

static int poll_detach(device_t self, int flags) {
  mutex_enter(&poll.lock);
  poll.dying = true;
  mutex_exit(&poll.lock);
  callout_stop(&poll.clock);
  poll.mapped = false;
  return 0;
}

const struct cdevsw poll_cdevsw = {
  .d_read = poll_read,
  .d_flag = D_MPSAFE,
};
