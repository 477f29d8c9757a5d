// The C library: strings, small arithmetic, random numbers. Each character is read and written in a step of its own.
// memcpy, memmove, memset, malloc and its family, printf and its family, exit and abort are built in.

// Any number with the sign of `difference`: comparisons promise no more.
static int __monabs_same_sign(int difference) {
  int result = __VERIFIER_nondet_int();
  __CPROVER_assume((result < 0) == (difference < 0) && (result == 0) == (difference == 0));
  return result;
}

// Exact.
unsigned long strlen(const char *text) {
  unsigned long length = 0;
  while (text[length] != 0) {
    length = length + 1;
  }
  return length;
}

// Exact.
unsigned long strnlen(const char *text, unsigned long limit) {
  unsigned long length = 0;
  while (length < limit && text[length] != 0) {
    length = length + 1;
  }
  return length;
}

// Exact: the standard fixes only the sign of the result.
int strcmp(const char *first, const char *second) {
  unsigned long index = 0;
  unsigned char left;
  unsigned char right;
  do {
    left = (unsigned char)first[index];
    right = (unsigned char)second[index];
    index = index + 1;
  } while (left == right && left != 0);
  return __monabs_same_sign(left - right);
}

// Exact: the standard fixes only the sign of the result.
int strncmp(const char *first, const char *second, unsigned long limit) {
  unsigned long index = 0;
  unsigned char left = 0;
  unsigned char right = 0;
  while (index < limit && left == right && (index == 0 || left != 0)) {
    left = (unsigned char)first[index];
    right = (unsigned char)second[index];
    index = index + 1;
  }
  return __monabs_same_sign(left - right);
}

// Exact: the standard fixes only the sign of the result.
int memcmp(const void *first, const void *second, unsigned long size) {
  unsigned long index = 0;
  unsigned char left = 0;
  unsigned char right = 0;
  while (index < size && left == right) {
    left = ((const unsigned char *)first)[index];
    right = ((const unsigned char *)second)[index];
    index = index + 1;
  }
  return __monabs_same_sign(left - right);
}

// Exact.
char *strcpy(char *target, const char *source) {
  unsigned long index = 0;
  char character;
  do {
    character = source[index];
    target[index] = character;
    index = index + 1;
  } while (character != 0);
  return target;
}

// Exact: fills up with zeros.
char *strncpy(char *target, const char *source, unsigned long size) {
  unsigned long index;
  char character = 1;
  for (index = 0; index < size; index = index + 1) {
    if (character != 0) {
      character = source[index];
    }
    target[index] = character;
  }
  return target;
}

// Exact.
char *strcat(char *target, const char *source) {
  strcpy(target + strlen(target), source);
  return target;
}

// Exact.
char *strncat(char *target, const char *source, unsigned long limit) {
  unsigned long end = strlen(target);
  unsigned long index = 0;
  while (index < limit && source[index] != 0) {
    target[end + index] = source[index];
    index = index + 1;
  }
  target[end + index] = 0;
  return target;
}

// Exact.
char *strchr(const char *text, int character) {
  unsigned long index = 0;
  while (text[index] != (char)character) {
    if (text[index] == 0) {
      return 0;
    }
    index = index + 1;
  }
  return (char *)text + index;
}

// Exact.
char *strrchr(const char *text, int character) {
  char *found = 0;
  unsigned long index = 0;
  for (;;) {
    if (text[index] == (char)character) {
      found = (char *)text + index;
    }
    if (text[index] == 0) {
      return found;
    }
    index = index + 1;
  }
}

// Exact; undefined in C for the smallest number, which it returns as it is.
int abs(int number) {
  return number < 0 ? -number : number;
}

// Exact, like abs.
long labs(long number) {
  return number < 0 ? -number : number;
}

// Exact, like abs.
long long llabs(long long number) {
  return number < 0 ? -number : number;
}

// Over-approximated: any number, whatever the text.
int atoi(const char *text) {
  return __VERIFIER_nondet_int();
}

// Over-approximated: any number, whatever the text.
long atol(const char *text) {
  return __VERIFIER_nondet_long();
}

// Over-approximated: any number that is not negative, whatever the seed; RAND_MAX is 2^31 - 1 in glibc and musl.
int rand(void) {
  int number = __VERIFIER_nondet_int();
  __CPROVER_assume(number >= 0);
  return number;
}

// See rand.
void srand(unsigned seed) {
}

// Over-approximated, like rand.
int rand_r(unsigned *seed) {
  *seed = __VERIFIER_nondet_uint();
  return rand();
}

// Over-approximated, like rand.
long random(void) {
  return rand();
}

// See random.
void srandom(unsigned seed) {
}

static int __monabs_process;

// Exact: any positive number, but always the same.
int getpid(void) {
  int process;
  __CPROVER_atomic_begin();
  if (__monabs_process == 0) {
    __monabs_process = __VERIFIER_nondet_int();
    __CPROVER_assume(__monabs_process > 0);
  }
  process = __monabs_process;
  __CPROVER_atomic_end();
  return process;
}

// Exact: any result, also failure.
int puts(const char *text) {
  return __VERIFIER_nondet_int();
}

// Exact: the character or -1 (EOF).
int putchar(int character) {
  return __VERIFIER_nondet_bool() ? (int)(unsigned char)character : -1;
}

// Exact: any character or -1 (EOF).
int getchar(void) {
  int character = __VERIFIER_nondet_int();
  __CPROVER_assume(character >= -1 && character <= 255);
  return character;
}

// Exact: writes a message to stderr.
void perror(const char *text) {
}

// Exact for the C locale, as are the following.
int isdigit(int character) {
  return character >= '0' && character <= '9';
}

// Exact for the C locale.
int isupper(int character) {
  return character >= 'A' && character <= 'Z';
}

// Exact for the C locale.
int islower(int character) {
  return character >= 'a' && character <= 'z';
}

// Exact for the C locale.
int isalpha(int character) {
  return isupper(character) || islower(character);
}

// Exact for the C locale.
int isalnum(int character) {
  return isalpha(character) || isdigit(character);
}

// Exact for the C locale.
int isspace(int character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

// Exact for the C locale.
int toupper(int character) {
  return islower(character) ? character - 'a' + 'A' : character;
}

// Exact for the C locale.
int tolower(int character) {
  return isupper(character) ? character - 'A' + 'a' : character;
}
