//! accesses: user
// Bytes: mem* of the C library. memcpy, memmove, memset and relatives are built in for data of known type and size; they call
// the functions here for everything else.

// Any number with the sign of `difference`: comparisons promise no more.
static int __monabs_same_sign(int difference) {
  int result = __monabs_nondet_int();
  __CPROVER_assume((result < 0) == (difference < 0) && (result == 0) == (difference == 0));
  return result;
}

// Whether the second address is behind the first: matters only inside of one object.
static _Bool __monabs_is_behind(const void *first, const void *second) {
  return (unsigned long)first < (unsigned long)second;
}

// Exact for objects that do not overlap; for others C defines nothing.
static void __monabs_copy_bytes(void *target, const void *source, unsigned long size) {
  unsigned long index;
  for (index = 0; index < size; index = index + 1) {
    ((unsigned char *)target)[index] = ((const unsigned char *)source)[index];
  }
}

// Exact, also for objects that overlap.
static void __monabs_move_bytes(void *target, const void *source, unsigned long size) {
  unsigned long index;
  if ((unsigned long)target <= (unsigned long)source) {
    for (index = 0; index < size; index = index + 1) {
      ((unsigned char *)target)[index] = ((const unsigned char *)source)[index];
    }
  } else {
    for (index = size; index > 0; index = index - 1) {
      ((unsigned char *)target)[index - 1] = ((const unsigned char *)source)[index - 1];
    }
  }
}

// Exact.
static void __monabs_set_bytes(void *target, int value, unsigned long size) {
  unsigned long index;
  for (index = 0; index < size; index = index + 1) {
    ((unsigned char *)target)[index] = (unsigned char)value;
  }
}

// Any bytes: input. At most `size`, at least none; says how many.
static unsigned long __monabs_any_bytes(void *target, unsigned long size) {
  unsigned long count = __monabs_nondet_ulong();
  unsigned long index;
  __CPROVER_assume(count <= size);
  for (index = 0; index < count; index = index + 1) {
    ((unsigned char *)target)[index] = __monabs_nondet_uchar();
  }
  return count;
}

// Reads bytes for somebody outside.
static void __monabs_read_bytes(const void *source, unsigned long size) {
  unsigned long index;
  unsigned char byte;
  for (index = 0; index < size; index = index + 1) {
    byte = ((const unsigned char *)source)[index];
  }
}

// Reads a text for somebody outside.
static void __monabs_read_text(const char *text) {
  unsigned long index = 0;
  while (text[index] != 0) {
    index = index + 1;
  }
}

// The library looks at bytes that matter to nobody else.
static void __monabs_look_at_bytes(const void *source, unsigned long size) {
  if (__monabs_reads()) {
    __monabs_read_bytes(source, size);
  }
}

// The library looks at a text that matters to nobody else.
static void __monabs_look_at_text(const char *text) {
  if (__monabs_reads()) {
    __monabs_read_text(text);
  }
}

// The same for a stream: its first byte says whether it is one of the program's own (0), which can be closed.
static void __monabs_stream(const void *stream) {
  char kind;
  if (__monabs_reads()) {
    kind = *(const char *)stream;
  }
}

// The same for a time: its two parts have the size of long.
static void __monabs_look_at_time(const struct timespec *time) {
  long part;
  if (__monabs_reads()) {
    part = ((const long *)time)[0];
    part = ((const long *)time)[1];
  }
}

// Whether a time is one: its members are two numbers of type long, seconds and nanoseconds.
static _Bool __monabs_is_time(const struct timespec *time) {
  const long *members = (const long *)time;
  return members[0] >= 0 && members[1] >= 0 && members[1] < 1000000000;
}

// Whether a point in time is one; the seconds may be any.
static _Bool __monabs_has_nanoseconds(const struct timespec *time) {
  const long *members = (const long *)time;
  long seconds, fraction = members[1];
  if (__monabs_reads()) {
    seconds = members[0];
  }
  return fraction >= 0 && fraction < 1000000000;
}

// The same for a text of which at most so many characters are read.
static void __monabs_look_at_part(const char *text, int limit) {
  int index = 0;
  if (__monabs_reads()) {
    while ((limit < 0 || index < limit) && text[index] != 0) {
      index = index + 1;
    }
  }
}

// Exact: the standard fixes only the sign of the result. Both objects have `size` bytes, and libraries read ahead: all bytes
// are read, also behind the first difference.
int memcmp(const void *first, const void *second, unsigned long size) {
  unsigned long index;
  int difference = 0;
  for (index = 0; index < size; index = index + 1) {
    unsigned char left = ((const unsigned char *)first)[index];
    unsigned char right = ((const unsigned char *)second)[index];
    if (difference == 0) {
      difference = left - right;
    }
  }
  return __monabs_same_sign(difference);
}

// Exact: zero or not is all that is promised.
int bcmp(const void *first, const void *second, unsigned long size) {
  return memcmp(first, second, size);
}

// Exact.
void *memchr(const void *bytes, int value, unsigned long size) {
  unsigned long index;
  for (index = 0; index < size; index = index + 1) {
    if (((const unsigned char *)bytes)[index] == (unsigned char)value) {
      return (unsigned char *)bytes + index;
    }
  }
  return 0;
}

// Exact.
void *rawmemchr(const void *bytes, int value) {
  unsigned long index = 0;
  while (((const unsigned char *)bytes)[index] != (unsigned char)value) {
    index = index + 1;
  }
  return (unsigned char *)bytes + index;
}

// Exact.
void *memrchr(const void *bytes, int value, unsigned long size) {
  unsigned long index;
  for (index = size; index > 0; index = index - 1) {
    if (((const unsigned char *)bytes)[index - 1] == (unsigned char)value) {
      return (unsigned char *)bytes + (index - 1);
    }
  }
  return 0;
}

// Exact.
void *memccpy(void *target, const void *source, int value, unsigned long size) {
  unsigned long index;
  unsigned char byte;
  for (index = 0; index < size; index = index + 1) {
    __monabs_apart(target, index + 1, source, index + 1);
    byte = ((const unsigned char *)source)[index];
    ((unsigned char *)target)[index] = byte;
    if (byte == (unsigned char)value) {
      return (unsigned char *)target + index + 1;
    }
  }
  return 0;
}
