//! accesses: user
// What synchronisation stores for the user, who may race with it, and what is written where it begins and ends.

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

static void __monabs_store_flag(_Bool *target, _Bool value) {
  *target = value;
}

// Read for nothing but to be seen.
static void __monabs_look_at_flag(const _Bool *flag) {
  _Bool value = *flag;
}
