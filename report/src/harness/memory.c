
/* Memory. */

/* What is known about memory: variables by the table of symbols, and blocks. Nothing is given back, so that addresses stay what they are, and behind
   each block there is some that belongs to nobody. */
#define MARGIN 256
#define HEAP "(heap)"
static struct range {
  const char *name;
  const volatile char *begin, *end;
  int freed;
} ranges[4 * MOST];
static int range_count;
static pthread_mutex_t known = PTHREAD_MUTEX_INITIALIZER;

static void add(const char *name, const volatile char *begin, size_t size) {
  __real_pthread_mutex_lock(&known);
  if (range_count == 4 * MOST)
    out(3, "there are too many objects");
  ranges[range_count] = (struct range){name, begin, begin + size, 0};
  __atomic_store_n(&range_count, range_count + 1, __ATOMIC_RELEASE);
  __real_pthread_mutex_unlock(&known);
}

static void *allocated(size_t size, int zeroed) {
  void *memory = __real_malloc(size + MARGIN);
  if (!memory)
    return 0;
  if (zeroed)
    memset(memory, 0, size);
  add(HEAP, memory, size);
  return memory;
}
void *__wrap_malloc(size_t size) { return allocated(size, 0); }
void *__wrap_calloc(size_t count, size_t size) { return allocated(count * size, 1); }

/* The variable or block at an address, its margin included, or null. */
static struct range *range_at(const volatile char *address) {
  int count = __atomic_load_n(&range_count, __ATOMIC_ACQUIRE);
  for (int i = 0; i < count; i++) {
    int margin = !strcmp(ranges[i].name, HEAP) ? MARGIN : 0;
    if (address >= ranges[i].begin && address < ranges[i].end + margin)
      return &ranges[i];
  }
  return 0;
}

/* The symbols of the program, as nm prints them: those whose accesses take turns. Variables in functions have a number behind a dot. */
static void read_symbols(void) {
  FILE *file = fopen("symbols", "r");
  if (!file)
    out(2, "the table of symbols is missing");
  unsigned long address, size;
  char line[4000], type, name[2000];
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%lx %lx %c %1999s", &address, &size, &type, name) != 4 || !strchr("bBdDcCsSgGuVrR", type))
      continue;
    name[strcspn(name, ".")] = 0;
    for (int i = 0; i < harness_object_count; i++)
      /* What is near zero is an offset in the memory of a thread. */
      if (!strcmp(harness_objects[i], name) && address >= 0x10000)
        add(harness_objects[i], (const volatile char *)address, size);
  }
  fclose(file);
}

/* The line of the source that an instruction belongs to, or 0. */
static int line_of(const void *instruction) {
  char command[100], answer[4000] = "";
  snprintf(command, sizeof command, "addr2line -e ./program %p 2>/dev/null", instruction);
  FILE *pipe = popen(command, "r");
  if (!pipe)
    return 0;
  char *read = fgets(answer, sizeof answer, pipe);
  pclose(pipe);
  char *colon = read ? strrchr(answer, ':') : 0;
  return colon ? atoi(colon + 1) : 0;
}

/* The name of the memory at an address in the schedule, or null. */
static const char *name_of(const volatile char *address) {
  const struct range *range = range_at(address);
  return range ? range->name : 0;
}

static int is_goal(const char *kind) { return !strcmp(harness_goal.kind, kind); }

static int fails_next(void) {
  return self->position != NO_ITEM && harness_items[self->position].kind == HARNESS_FAIL;
}

/* What is wrong with an access to this address, if that can be told. */
static const char *mistake(const volatile char *address) {
  if ((unsigned long)address < 4096)
    return "a null pointer is dereferenced";
  const struct range *range = range_at(address);
  if (range && address >= range->end)
    return "an access lies behind the end of allocated memory";
  return range && range->freed ? "memory is used that was freed" : 0;
}

/* The access that must not happen, when it is the thread's turn. */
static void check_access(const volatile char *address, const void *from) {
  if (!self || !is_goal("pointer"))
    return;
  const char *what = mistake(address);
  if (!what && !(fails_next() && range_at(address)))
    return;
  __real_pthread_mutex_lock(&token);
  if (fails_next())
    turn();
  else if (what)
    out(4, "another failure: %s", what);
  what = mistake(address);
  if (!what)
    diverge("the memory that is used is there");
  __real_pthread_mutex_unlock(&token);
  fail("pointer", from ? line_of((const char *)from - 1) : 0, what);
}

/* An access that faults. */
static void faults(int number, siginfo_t *information, void *context) {
  (void)number, (void)context;
  const char *what = mistake(information->si_addr);
  fail("pointer", 0, what ? what : "an access to memory faults");
}

/* Memory is given back. That is a turn of its own only where it can be what goes wrong. */
static const struct harness_item *called(const char *function, const volatile void *object);
static void returned(void);
void __wrap_free(void *memory) {
  if (!self || !memory || !(is_goal("pointer") || is_goal("free") || is_goal("leak")))
    return;
  struct range *range = range_at(memory);
  int is_block = range && !strcmp(range->name, HEAP) && range->begin == (char *)memory;
  if (fails_next()) {
    __real_pthread_mutex_lock(&token);
    turn();
    __real_pthread_mutex_unlock(&token);
    if (!is_block || range->freed)
      fail("free", 0, is_block ? "memory is freed twice" : "a pointer is freed that no allocation returned");
    diverge("the memory that is freed is there");
  }
  called("free", memory);
  if (!is_block || range->freed)
    diverge("free gets what is no allocated memory");
  range->freed = 1;
  returned();
}

static void look_for_leaks(void) {
  int count = __atomic_load_n(&range_count, __ATOMIC_ACQUIRE);
  for (int i = 0; i < count; i++)
    if (!strcmp(ranges[i].name, HEAP) && !ranges[i].freed)
      fail("leak", 0, "memory is not freed when the program ends");
}

/* gcc calls this at the begin of each basic block, if labels are looked for. */
void __sanitizer_cov_trace_pc(void) {
  static const void *seen[MOST];
  static int count;
  if (!self || !is_goal("error-label") || !fails_next())
    return;
  for (int i = 0; i < count; i++)
    if (seen[i] == __builtin_return_address(0))
      return;
  if (count < MOST)
    seen[count++] = __builtin_return_address(0);
  int line = line_of((const char *)__builtin_return_address(0) - 1);
  if (line == harness_goal.line || line == harness_goal.next_line)
    fail("error-label", harness_goal.line, "the label is reached");
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
  check_access(address, self ? self->from : 0);
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

/* Notes where the program is. */
#define HERE (self ? (void)(self->from = __builtin_return_address(0)) : (void)0)
#define PLAIN(N) \
  void __tsan_read##N(void *address) { HERE, access_memory(address, N, 1, 0, 0); } \
  void __tsan_write##N(void *address) { HERE, access_memory(address, N, 0, 1, 0); } \
  void __tsan_volatile_read##N(void *address) { HERE, access_memory(address, N, 1, 0, 0); } \
  void __tsan_volatile_write##N(void *address) { HERE, access_memory(address, N, 0, 1, 0); } \
  void __tsan_unaligned_read##N(void *address) { HERE, access_memory(address, N, 1, 0, 0); } \
  void __tsan_unaligned_write##N(void *address) { HERE, access_memory(address, N, 0, 1, 0); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
void __tsan_read_range(void *address, unsigned long size) { HERE, access_memory(address, size, 1, 0, 0); }
void __tsan_write_range(void *address, unsigned long size) { HERE, access_memory(address, size, 0, 1, 0); }
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

#define FETCH(BITS, TYPE, NAME) \
  TYPE __tsan_atomic##BITS##_fetch_##NAME(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    HERE; \
    access_memory(a, sizeof *a, 1, 1, 1); \
    return __atomic_fetch_##NAME(a, v, __ATOMIC_SEQ_CST); \
  }
/* A weak exchange may fail without a reason, and does if the schedule says so. What is expected may be shared, too: it is read before and written
   after a failure. */
#define SWAP(BITS, TYPE, NAME, WEAK) \
  int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile TYPE *a, TYPE *old, TYPE v, int order, int failure) { \
    (void)order, (void)failure; \
    HERE; \
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
    HERE; \
    access_memory(a, sizeof *a, 1, 0, 1); \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST); \
  } \
  void __tsan_atomic##BITS##_store(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    HERE; \
    access_memory(a, sizeof *a, 0, 1, 1); \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST); \
  } \
  TYPE __tsan_atomic##BITS##_exchange(volatile TYPE *a, TYPE v, int order) { \
    (void)order; \
    HERE; \
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
