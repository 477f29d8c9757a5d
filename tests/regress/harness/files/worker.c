#include "shared.h"

static int hits;

static void bump(void) {
  hits++;
  counter++;
}

void *work(void *unused) {
  bump();
  return 0;
}

int total(void) { return counter + hits; }
