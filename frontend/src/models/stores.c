//! accesses: user
// What synchronisation stores for the user, who may race with it.

static void __monabs_store_number(unsigned long *target, unsigned long value) {
  *target = value;
}

static void __monabs_store_int(int *target, int value) {
  *target = value;
}

static void __monabs_store_unsigned(unsigned *target, unsigned value) {
  *target = value;
}

static void __monabs_store_pointer(void **target, void *value) {
  *target = value;
}
