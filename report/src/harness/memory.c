
/* Memory. */

static struct block {
  const volatile char *begin, *end;
} blocks[MOST];
static int block_count;

static void *allocated(void *memory, size_t size) {
  if (memory && block_count < MOST)
    blocks[block_count++] = (struct block){memory, (char *)memory + size};
  return memory;
}
void *__wrap_malloc(size_t size) { return allocated(__real_malloc(size), size); }
void *__wrap_calloc(size_t count, size_t size) { return allocated(__real_calloc(count, size), count * size); }
/* Nothing is given back, so that addresses stay what they are. */
void __wrap_free(void *memory) { (void)memory; }

/* The name of the memory at an address in the schedule, or null. */
static const char *name_of(const volatile char *address) {
  for (int i = 0; i < harness_object_count; i++) {
    const volatile char *begin = harness_objects[i].address;
    if (address >= begin && address < begin + harness_objects[i].size)
      return harness_objects[i].name;
  }
  for (int i = 0; i < block_count; i++)
    if (address >= blocks[i].begin && address < blocks[i].end)
      return "(heap)";
  return 0;
}

static int names(const struct harness_item *item, const char *name) {
  size_t length = strlen(name);
  for (const char *at = item->name; (at = strstr(at, name)); at++)
    if ((at == item->name || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
      return 1;
  return 0;
}

/* Waits for the turn of an access. Returns what the schedule has for it, or null if it has nothing. */
static const struct harness_item *access_memory(const volatile void *address, unsigned size, int reads, int writes, int atomic) {
  const char *name = self ? name_of(address) : 0;
  if (!name || (self->section && self->in_turn))
    return 0;
  __real_pthread_mutex_lock(&token);
  if (self->position == NO_ITEM) {
    self->at = address, self->size = size, self->writes = writes, self->atomic = atomic;
    stay();
  }
  const struct harness_item *item = &harness_items[self->position];
  enum harness_kind kind = reads && writes ? HARNESS_BOTH : writes ? HARNESS_WRITE : HARNESS_READ;
  if ((item->kind != kind && item->kind != HARNESS_BOTH) || !names(item, name)) {
    char what[200];
    snprintf(what, sizeof what, "thread %d %s %s, where the schedule has: %s %s", self->number, writes ? "writes" : "reads", name,
             shown(item), item->name);
    diverge(what);
  }
  turn();
  self->in_turn = 1;
  __real_pthread_mutex_unlock(&token);
  return item;
}

#define PLAIN(N) \
  void __tsan_read##N(void *address) { access_memory(address, N, 1, 0, 0); } \
  void __tsan_write##N(void *address) { access_memory(address, N, 0, 1, 0); } \
  void __tsan_volatile_read##N(void *address) { access_memory(address, N, 1, 0, 0); } \
  void __tsan_volatile_write##N(void *address) { access_memory(address, N, 0, 1, 0); } \
  void __tsan_unaligned_read##N(void *address) { access_memory(address, N, 1, 0, 0); } \
  void __tsan_unaligned_write##N(void *address) { access_memory(address, N, 0, 1, 0); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
void __tsan_read_range(void *address, unsigned long size) { access_memory(address, size, 1, 0, 0); }
void __tsan_write_range(void *address, unsigned long size) { access_memory(address, size, 0, 1, 0); }
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

#define FETCH(BITS, TYPE, NAME) \
  TYPE __tsan_atomic##BITS##_fetch_##NAME(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    access_memory(a, sizeof *a, 1, 1, 1); \
    return __atomic_fetch_##NAME(a, v, __ATOMIC_SEQ_CST); \
  }
/* A weak exchange may fail without a reason, and does if the schedule says so. What is expected may be shared, too: it is read before and written
   after a failure. */
#define SWAP(BITS, TYPE, NAME, WEAK) \
  int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile TYPE *a, TYPE *old, TYPE v, int order, int failure) { \
    (void)order, (void)failure; \
    access_memory(old, sizeof *old, 1, 0, 0); \
    TYPE found = *old; \
    const struct harness_item *item = access_memory(a, sizeof *a, 1, 1, 1); \
    if (WEAK && item && item->result == 0) \
      found = __atomic_load_n(a, __ATOMIC_SEQ_CST); \
    else if (__atomic_compare_exchange_n(a, &found, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
      return 1; \
    access_memory(old, sizeof *old, 0, 1, 0); \
    *old = found; \
    return 0; \
  }
#define ATOMIC(BITS, TYPE) \
  TYPE __tsan_atomic##BITS##_load(const volatile TYPE *a, int order) { \
    (void)order; \
    access_memory(a, sizeof *a, 1, 0, 1); \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST); \
  } \
  void __tsan_atomic##BITS##_store(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    access_memory(a, sizeof *a, 0, 1, 1); \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST); \
  } \
  TYPE __tsan_atomic##BITS##_exchange(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    access_memory(a, sizeof *a, 1, 1, 1); \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST); \
  } \
  FETCH(BITS, TYPE, add) \
  FETCH(BITS, TYPE, sub) \
  FETCH(BITS, TYPE, and) \
  FETCH(BITS, TYPE, or) \
  FETCH(BITS, TYPE, xor) \
  FETCH(BITS, TYPE, nand) \
  SWAP(BITS, TYPE, strong, 0) \
  SWAP(BITS, TYPE, weak, 1)
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

/* Atomic sections: the first access to shared memory waits for the turn, the others belong to it. */
static void begin_section(void) {
  if (self->section++ == 0)
    self->in_turn = 0;
}
static void end_section(void) { self->section--; }
void __VERIFIER_atomic_begin(void) { begin_section(); }
void __VERIFIER_atomic_end(void) { end_section(); }
void __CPROVER_atomic_begin(void) { begin_section(); }
void __CPROVER_atomic_end(void) { end_section(); }

/* Input. */

static unsigned long long input(void) {
  while (self->input < harness_input_count && harness_inputs[self->input].thread != self->number)
    self->input++;
  return self->input < harness_input_count ? harness_inputs[self->input++].value : 0;
}
#define NONDET(NAME, TYPE) \
  __attribute__((weak)) TYPE __VERIFIER_nondet_##NAME(void) { return (TYPE)input(); }
NONDET(bool, _Bool)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(u8, unsigned char)
NONDET(u16, unsigned short)
NONDET(u32, unsigned)
NONDET(size_t, unsigned long)
NONDET(pointer, void *)

int __wrap_rand(void) { return (int)input(); }

static void assume(int condition) {
  if (!condition) {
    __real_pthread_mutex_lock(&token);
    if (self->position != NO_ITEM)
      diverge("an assumption does not hold");
    stay();
  }
}
__attribute__((weak)) void __VERIFIER_assume(int condition) { assume(condition); }
__attribute__((weak)) void __CPROVER_assume(int condition) { assume(condition); }
__attribute__((weak)) void assume_abort_if_not(int condition) { assume(condition); }
__attribute__((weak)) void __CPROVER_predicate(int condition) { (void)condition; }
__attribute__((weak)) int __CPROVER_passive(int variable) { return variable; }
