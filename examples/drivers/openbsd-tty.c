// EXPECT: safe
// OPTIONS: --init tty_attach --entry tty_open --entry tty_close
// A line that one process at a time may have open, in the shape of an OpenBSD driver. Whether it is open is looked at and set under one lock.
#include "openbsd.h"

static struct tty_softc {
  struct mutex lock;
  int open;
  int users;
} tty;

void tty_attach(void) {
  mtx_init(&tty.lock, IPL_TTY);
}

int tty_open(dev_t device, int flags, int mode, struct proc *process) {
  mtx_enter(&tty.lock);
  if (tty.open) {
    mtx_leave(&tty.lock);
    return EBUSY;
  }
  tty.open = 1;
  tty.users++;
  KASSERT(tty.users == 1);
  mtx_leave(&tty.lock);
  return 0;
}

int tty_close(dev_t device, int flags, int mode, struct proc *process) {
  mtx_enter(&tty.lock);
  if (tty.open) {
    tty.users--;
    tty.open = 0;
  }
  mtx_leave(&tty.lock);
  return 0;
}
