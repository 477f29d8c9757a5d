//! requires: wcslen wcsnlen wcscpy wcsncpy wcscat wcscmp wcsncmp wcschr wcsrchr wmemcpy wmemset wmemcmp wmemchr
//! accesses: user
// Wide strings: a character is an int, as in the GNU C library. Each is read and written in a step of its own.

// Exact.
unsigned long wcslen(const int *text) {
  unsigned long length = 0;
  while (text[length] != 0) {
    length = length + 1;
  }
  return length;
}

// Exact.
unsigned long wcsnlen(const int *text, unsigned long limit) {
  unsigned long length = 0;
  while (length < limit && text[length] != 0) {
    length = length + 1;
  }
  return length;
}

// Exact.
int *wcscpy(int *target, const int *source) {
  unsigned long index = 0;
  int character;
  do {
    __monabs_apart(target, 4 * (index + 1), source, 4 * (index + 1));
    character = source[index];
    target[index] = character;
    index = index + 1;
  } while (character != 0);
  return target;
}

// Exact: fills up with zeros.
int *wcsncpy(int *target, const int *source, unsigned long limit) {
  unsigned long index = 0;
  _Bool ended = 0;
  while (index < limit) {
    int character;
    if (!ended) {
      __monabs_apart(target, 4 * limit, source, 4 * (index + 1));
    }
    character = ended ? 0 : source[index];
    ended = character == 0;
    target[index] = character;
    index = index + 1;
  }
  return target;
}

// Exact.
int *wcscat(int *target, const int *source) {
  wcscpy(target + wcslen(target), source);
  return target;
}

// Exact: the standard fixes only the sign of the result.
int wcsncmp(const int *first, const int *second, unsigned long limit) {
  unsigned long index = 0;
  while (index < limit) {
    int left = first[index];
    int right = second[index];
    if (left != right) {
      return __monabs_same_sign(left < right ? -1 : 1);
    }
    if (left == 0) {
      return 0;
    }
    index = index + 1;
  }
  return 0;
}

// Exact: the standard fixes only the sign of the result.
int wcscmp(const int *first, const int *second) {
  return wcsncmp(first, second, (unsigned long)-1);
}

// Exact.
int *wcschr(const int *text, int character) {
  unsigned long index = 0;
  while (text[index] != character) {
    if (text[index] == 0) {
      return 0;
    }
    index = index + 1;
  }
  return (int *)text + index;
}

// Exact.
int *wcsrchr(const int *text, int character) {
  unsigned long index = wcslen(text) + 1;
  while (index > 0) {
    index = index - 1;
    if (text[index] == character) {
      return (int *)text + index;
    }
  }
  return 0;
}

// Exact for arrays that do not overlap.
int *wmemcpy(int *target, const int *source, unsigned long count) {
  unsigned long index = 0;
  __monabs_apart(target, target == source ? 0 : 4 * count, source, 4 * count);
  while (index < count) {
    target[index] = source[index];
    index = index + 1;
  }
  return target;
}

// Exact.
int *wmemset(int *target, int character, unsigned long count) {
  unsigned long index = 0;
  while (index < count) {
    target[index] = character;
    index = index + 1;
  }
  return target;
}

// Exact: the standard fixes only the sign of the result.
int wmemcmp(const int *first, const int *second, unsigned long count) {
  unsigned long index = 0;
  while (index < count) {
    int left = first[index];
    int right = second[index];
    if (left != right) {
      return __monabs_same_sign(left < right ? -1 : 1);
    }
    index = index + 1;
  }
  return 0;
}

// Exact.
int *wmemchr(const int *text, int character, unsigned long count) {
  unsigned long index = 0;
  while (index < count) {
    if (text[index] == character) {
      return (int *)text + index;
    }
    index = index + 1;
  }
  return 0;
}
