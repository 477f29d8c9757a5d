//! requires: div ldiv lldiv imaxdiv
// Division with remainder. The types are those of the C library; users declare them by its header.

struct __monabs_div {
  int quot;
  int rem;
};

struct __monabs_ldiv {
  long quot;
  long rem;
};

struct __monabs_lldiv {
  long long quot;
  long long rem;
};

typedef struct __monabs_div div_t;
typedef struct __monabs_ldiv ldiv_t;
typedef struct __monabs_lldiv lldiv_t;
typedef struct __monabs_lldiv imaxdiv_t;

// Exact.
div_t div(int number, int divisor) {
  div_t result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}

// Exact.
ldiv_t ldiv(long number, long divisor) {
  ldiv_t result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}

// Exact.
lldiv_t lldiv(long long number, long long divisor) {
  lldiv_t result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}

// Exact.
imaxdiv_t imaxdiv(long long number, long long divisor) {
  imaxdiv_t result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}
