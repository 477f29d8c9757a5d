// expect: unsafe, must [options: --environment illumos] [judge: none]
// Nobody stops the call.
#include <sys/ddi.h>
#include <sys/debug.h>
#include <sys/sunddi.h>

static int mapped = 1;

static void tick(void *argument) {
  ASSERT(mapped);
}

int main(void) {
  timeout_id_t id = timeout(tick, NULL, 10);
  mapped = 0;
  return 0;
}
