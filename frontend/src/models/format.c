//! accesses: user
// The characters that formats put into memory and take from outside. The translation takes formats apart and calls these. A text
// has `size` bytes; `position` counts the characters so far, also those that do not fit.

// Exact: one character.
static unsigned long __monabs_put(char *target, unsigned long size, unsigned long position, int character) {
  if (size > 0 && position < size - 1) {
    target[position] = (char)character;
  }
  return position + 1;
}

// Exact: at most so many characters of a text.
static unsigned long __monabs_put_text(
    char *target, unsigned long size, unsigned long position, const char *text, unsigned long most) {
  unsigned long index = 0;
  if (size > 0 && most > 0) {
    __monabs_apart(target, position + 1 < size ? position + 1 : size, text, 1);
  }
  while (index < most && text[index] != 0) {
    if (size > 0) {
      __monabs_apart(target, position + 2 < size ? position + 2 : size, text, index + 1);
    }
    position = __monabs_put(target, size, position, text[index]);
    index = index + 1;
  }
  return position;
}

// Exact: a number in a base; 17 is base 16 with capital letters.
static unsigned long __monabs_put_number(
    char *target, unsigned long size, unsigned long position, unsigned long long number, int base) {
  unsigned long long unit = 1;
  unsigned long long radix = base == 17 ? 16 : (unsigned long long)base;
  int digit;
  while (number / unit >= radix) {
    unit = unit * radix;
  }
  while (unit > 0) {
    digit = (int)(number / unit % radix);
    position = __monabs_put(
        target, size, position, digit < 10 ? '0' + digit : (base == 17 ? 'A' : 'a') + digit - 10);
    unit = unit / radix;
  }
  return position;
}

// Exact: a number with its sign.
static unsigned long __monabs_put_signed(
    char *target, unsigned long size, unsigned long position, long long number, int base) {
  if (number < 0) {
    position = __monabs_put(target, size, position, '-');
    return __monabs_put_number(target, size, position, 0 - (unsigned long long)number, base);
  }
  return __monabs_put_number(target, size, position, (unsigned long long)number, base);
}

// Over-approximated: at most so many characters.
static unsigned long __monabs_put_any(char *target, unsigned long size, unsigned long position, unsigned long most) {
  unsigned long count = __monabs_nondet_ulong();
  char character;
  __monabs_approximate("characters that are printed");
  __CPROVER_assume(count <= most);
  while (count > 0) {
    character = __monabs_nondet_char();
    __CPROVER_assume(character != 0);
    position = __monabs_put(target, size, position, character);
    count = count - 1;
  }
  return position;
}

// Exact: the end of a text, and how many characters it would have.
static int __monabs_put_end(char *target, unsigned long size, unsigned long position) {
  if (size > 0) {
    target[position < size ? position : size - 1] = 0;
  }
  return (int)position;
}

// Over-approximated: a new object with any text.
static int __monabs_print_new(char **target) {
  unsigned long length = __monabs_nondet_ulong();
  __monabs_approximate("characters that are printed");
  __CPROVER_assume(length < 0x7ffffffful);
  *target = (char *)malloc(length + 1);
  (*target)[length] = 0;
  return (int)length;
}

// Exact: at least one character that is not white space, at most so many, and the end of the text.
static void __monabs_scan_text(void *target, unsigned long most) {
  char *text = (char *)target;
  unsigned long length = __monabs_nondet_ulong();
  unsigned long index;
  char character;
  __CPROVER_assume(length > 0 && length <= most);
  for (index = 0; index < length; index = index + 1) {
    character = __monabs_nondet_char();
    __CPROVER_assume(character != 0 && character != ' ' && !(character >= '\t' && character <= '\r'));
    text[index] = character;
  }
  text[length] = 0;
}

// Exact: so many bytes.
static void __monabs_scan_bytes(void *target, unsigned long count) {
  unsigned long index;
  for (index = 0; index < count; index = index + 1) {
    ((char *)target)[index] = __monabs_nondet_char();
  }
}
