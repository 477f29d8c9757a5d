//! requires: strtol strtoll strtoul strtoull strtoimax strtoumax atoi atol atoll strtod strtof strtold atof abs labs llabs imaxabs rand srand rand_r random srandom arc4random arc4random_uniform
//! accesses: user
// Numbers: conversions from text, arithmetic of stdlib.h, random numbers.

// The value of a digit, or 36 or more.
static int __monabs_digit(char character) {
  if (character >= '0' && character <= '9') {
    return character - '0';
  }
  if (character >= 'a' && character <= 'z') {
    return character - 'a' + 10;
  }
  if (character >= 'A' && character <= 'Z') {
    return character - 'A' + 10;
  }
  return 64;
}

// Exact: the magnitude of a number in a text, at most `most`, or `least` behind a minus sign. Says whether there is one.
static unsigned long long __monabs_magnitude(
    const char *text, char **end, int base, unsigned long long most, unsigned long long least, _Bool *negative) {
  unsigned long long value = 0;
  unsigned long long limit = most;
  unsigned long index = 0;
  unsigned long last = 0;
  _Bool overflow = 0;
  int digit;
  *negative = 0;
  if (base < 0 || base == 1 || base > 36) {
    __monabs_errno = 22;
    return 0;
  }
  while (text[index] == ' ' || (text[index] >= '\t' && text[index] <= '\r')) {
    index = index + 1;
  }
  if (text[index] == '-') {
    *negative = 1;
    limit = least;
    index = index + 1;
  } else if (text[index] == '+') {
    index = index + 1;
  }
  if ((base == 0 || base == 16) && text[index] == '0' && (text[index + 1] == 'x' || text[index + 1] == 'X')
      && __monabs_digit(text[index + 2]) < 16) {
    index = index + 2;
    base = 16;
  }
  if (base == 0) {
    base = text[index] == '0' ? 8 : 10;
  }
  digit = __monabs_digit(text[index]);
  while (digit < base) {
    if (value > (limit - (unsigned long long)digit) / (unsigned long long)base) {
      overflow = 1;
    } else {
      value = value * (unsigned long long)base + (unsigned long long)digit;
    }
    index = index + 1;
    last = index;
    digit = __monabs_digit(text[index]);
  }
  if (end != 0) {
    *end = (char *)text + last;
  }
  if (overflow) {
    __monabs_errno = 34;
    return limit;
  }
  return value;
}

// Exact.
long strtol(const char *text, char **end, int base) {
  _Bool negative;
  unsigned long most = (unsigned long)-1 / 2;
  unsigned long value = (unsigned long)__monabs_magnitude(text, end, base, most, (unsigned long long)most + 1, &negative);
  return (long)(negative ? 0 - value : value);
}

// Exact.
long long strtoll(const char *text, char **end, int base) {
  _Bool negative;
  unsigned long long most = (unsigned long long)-1 / 2;
  unsigned long long value = __monabs_magnitude(text, end, base, most, most + 1, &negative);
  return (long long)(negative ? 0 - value : value);
}

// Exact: a minus sign negates, except if the number is too large.
unsigned long strtoul(const char *text, char **end, int base) {
  _Bool negative;
  int before = __monabs_errno;
  unsigned long value;
  __monabs_errno = 0;
  value = (unsigned long)__monabs_magnitude(text, end, base, (unsigned long)-1, (unsigned long)-1, &negative);
  if (__monabs_errno == 34) {
    return value;
  }
  if (__monabs_errno == 0) {
    __monabs_errno = before;
  }
  return negative ? 0 - value : value;
}

// Exact: see strtoul.
unsigned long long strtoull(const char *text, char **end, int base) {
  _Bool negative;
  int before = __monabs_errno;
  unsigned long long value;
  __monabs_errno = 0;
  value = __monabs_magnitude(text, end, base, (unsigned long long)-1, (unsigned long long)-1, &negative);
  if (__monabs_errno == 34) {
    return value;
  }
  if (__monabs_errno == 0) {
    __monabs_errno = before;
  }
  return negative ? 0 - value : value;
}

// Exact.
long long strtoimax(const char *text, char **end, int base) {
  return strtoll(text, end, base);
}

// Exact.
unsigned long long strtoumax(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}

// Exact where C defines it: for numbers that fit.
int atoi(const char *text) {
  return (int)strtol(text, 0, 10);
}

// Exact where C defines it: for numbers that fit.
long atol(const char *text) {
  return strtol(text, 0, 10);
}

// Exact where C defines it: for numbers that fit.
long long atoll(const char *text) {
  return strtoll(text, 0, 10);
}

// Over-approximated: any number and any place in the text.
double strtod(const char *text, char **end) {
  unsigned long index = 0;
  __monabs_approximate("conversion of a text to a floating-point number");
  while (text[index] != 0 && __monabs_nondet_bool()) {
    index = index + 1;
  }
  if (end != 0) {
    *end = (char *)text + index;
  }
  if (__monabs_nondet_bool()) {
    __monabs_errno = 34;
  }
  return __monabs_nondet_double();
}

// Over-approximated: see strtod.
float strtof(const char *text, char **end) {
  return (float)strtod(text, end);
}

// Over-approximated: see strtod.
long double strtold(const char *text, char **end) {
  return strtod(text, end);
}

// Over-approximated: see strtod.
double atof(const char *text) {
  return strtod(text, 0);
}

// Exact; for the smallest number C defines nothing, and glibc returns it as it is.
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

// Exact, like abs.
long long imaxabs(long long number) {
  return number < 0 ? -number : number;
}

static _Bool __monabs_drawn;
static _Bool __monabs_drawn_again;

// Exact as far as the standard goes, which leaves the numbers open: any that is not negative; RAND_MAX is 2^31 - 1 in glibc and musl.
// Over-approximated where a sequence begins anew, which may repeat another one.
int rand(void) {
  int number = __monabs_nondet_int();
  __CPROVER_assume(number >= 0);
  if (__monabs_drawn_again) {
    __monabs_approximate("random numbers are any, also those of a seed that was there before");
  }
  __monabs_drawn = 1;
  return number;
}

// Exact: see rand.
void srand(unsigned seed) {
  if (__monabs_drawn) {
    __monabs_drawn_again = 1;
  }
}

// Over-approximated: any number, whatever the seed.
int rand_r(unsigned *seed) {
  *seed = (unsigned)__monabs_guess_int("the number that follows a seed");
  return __monabs_guess_int("the number of a seed") & 2147483647;
}

// Exact as far as rand is.
long random(void) {
  return rand();
}

// Exact: see random.
void srandom(unsigned seed) {
  srand(seed);
}

// Exact: any number.
unsigned arc4random(void) {
  return __monabs_nondet_uint();
}

// Exact: any number below.
unsigned arc4random_uniform(unsigned bound) {
  unsigned number = __monabs_nondet_uint();
  __CPROVER_assume(bound < 2 ? number == 0 : number < bound);
  return number;
}
