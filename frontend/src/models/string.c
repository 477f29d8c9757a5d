//! requires: strlen strnlen strcmp strncmp strcasecmp strncasecmp strcpy stpcpy strncpy stpncpy strlcpy strlcat strcat strncat strchr index strchrnul strrchr rindex strspn strcspn strpbrk strstr strcasestr strtok_r strtok strdup strndup
//! accesses: user
// Strings: each character is read and written in a step of its own. Where objects must not overlap, no run goes on when they do.

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

// Exact for the C locale.
static unsigned char __monabs_lower(char character) {
  return (unsigned char)(character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character);
}

// Exact for the C locale: only the sign of the result is fixed.
int strcasecmp(const char *first, const char *second) {
  unsigned long index = 0;
  unsigned char left;
  unsigned char right;
  do {
    left = __monabs_lower(first[index]);
    right = __monabs_lower(second[index]);
    index = index + 1;
  } while (left == right && left != 0);
  return __monabs_same_sign(left - right);
}

// Exact for the C locale: only the sign of the result is fixed.
int strncasecmp(const char *first, const char *second, unsigned long limit) {
  unsigned long index = 0;
  unsigned char left = 0;
  unsigned char right = 0;
  while (index < limit && left == right && (index == 0 || left != 0)) {
    left = __monabs_lower(first[index]);
    right = __monabs_lower(second[index]);
    index = index + 1;
  }
  return __monabs_same_sign(left - right);
}

// Exact.
char *strcpy(char *target, const char *source) {
  unsigned long index = 0;
  char character;
  do {
    __monabs_apart(target, index + 1, source, index + 1);
    character = source[index];
    target[index] = character;
    index = index + 1;
  } while (character != 0);
  return target;
}

// Exact.
char *stpcpy(char *target, const char *source) {
  unsigned long index = 0;
  char character = source[0];
  __monabs_apart(target, 1, source, 1);
  while (character != 0) {
    target[index] = character;
    index = index + 1;
    __monabs_apart(target, index + 1, source, index + 1);
    character = source[index];
  }
  target[index] = 0;
  return target + index;
}

// Exact: fills up with zeros.
char *strncpy(char *target, const char *source, unsigned long size) {
  unsigned long index;
  char character = 1;
  for (index = 0; index < size; index = index + 1) {
    if (character != 0) {
      __monabs_apart(target, size, source, index + 1);
      character = source[index];
    }
    target[index] = character;
  }
  return target;
}

// Exact: fills up with zeros.
char *stpncpy(char *target, const char *source, unsigned long size) {
  unsigned long length = 0;
  unsigned long index;
  char character = 1;
  for (index = 0; index < size; index = index + 1) {
    if (character != 0) {
      __monabs_apart(target, size, source, index + 1);
      character = source[index];
    }
    if (character != 0) {
      length = index + 1;
    }
    target[index] = character;
  }
  return target + length;
}

// Exact: as in BSD, the result is the length of the source.
unsigned long strlcpy(char *target, const char *source, unsigned long size) {
  unsigned long index = 0;
  while (source[index] != 0) {
    if (index + 1 < size) {
      __monabs_apart(target, index + 2, source, index + 2);
      target[index] = source[index];
    }
    index = index + 1;
  }
  if (size > 0) {
    __monabs_apart(target, 1, source, 1);
    target[index < size ? index : size - 1] = 0;
  }
  return index;
}

// Exact: as in BSD.
unsigned long strlcat(char *target, const char *source, unsigned long size) {
  unsigned long start = strnlen(target, size);
  if (start == size) {
    return size + strlen(source);
  }
  return start + strlcpy(target + start, source, size - start);
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
  __monabs_apart(target + end, 1, source, 1);
  while (index < limit && source[index] != 0) {
    __monabs_apart(target + end, index + 2, source, index + 1);
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
char *index(const char *text, int character) {
  return strchr(text, character);
}

// Exact.
char *strchrnul(const char *text, int character) {
  unsigned long index = 0;
  while (text[index] != (char)character && text[index] != 0) {
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

// Exact.
char *rindex(const char *text, int character) {
  return strrchr(text, character);
}

// Exact: whether a character that is not 0 occurs.
static _Bool __monabs_occurs(const char *set, char character) {
  unsigned long index = 0;
  while (set[index] != 0) {
    if (set[index] == character) {
      return 1;
    }
    index = index + 1;
  }
  return 0;
}

// Exact.
unsigned long strspn(const char *text, const char *accepted) {
  unsigned long length = 0;
  while (text[length] != 0 && __monabs_occurs(accepted, text[length])) {
    length = length + 1;
  }
  return length;
}

// Exact.
unsigned long strcspn(const char *text, const char *rejected) {
  unsigned long length = 0;
  while (text[length] != 0 && !__monabs_occurs(rejected, text[length])) {
    length = length + 1;
  }
  return length;
}

// Exact.
char *strpbrk(const char *text, const char *accepted) {
  unsigned long length = strcspn(text, accepted);
  return text[length] == 0 ? 0 : (char *)text + length;
}

// Exact.
char *strstr(const char *text, const char *part) {
  unsigned long start = 0;
  unsigned long index;
  for (;;) {
    index = 0;
    while (part[index] != 0 && text[start + index] == part[index]) {
      index = index + 1;
    }
    if (part[index] == 0) {
      return (char *)text + start;
    }
    if (text[start] == 0) {
      return 0;
    }
    start = start + 1;
  }
}

// Exact for the C locale.
char *strcasestr(const char *text, const char *part) {
  unsigned long start = 0;
  unsigned long index;
  for (;;) {
    index = 0;
    while (part[index] != 0 && __monabs_lower(text[start + index]) == __monabs_lower(part[index])) {
      index = index + 1;
    }
    if (part[index] == 0) {
      return (char *)text + start;
    }
    if (text[start] == 0) {
      return 0;
    }
    start = start + 1;
  }
}

// Exact.
char *strtok_r(char *text, const char *separators, char **rest) {
  char *start = text != 0 ? text : *rest;
  unsigned long length;
  start = start + strspn(start, separators);
  if (*start == 0) {
    *rest = start;
    return 0;
  }
  length = strcspn(start, separators);
  if (start[length] == 0) {
    *rest = start + length;
  } else {
    start[length] = 0;
    *rest = start + length + 1;
  }
  return start;
}

// Exact: one place for all threads, which is a data race if two use it.
char *strtok(char *text, const char *separators) {
  static char *rest;
  return strtok_r(text, separators, &rest);
}

// Exact, but for want of memory.
char *strdup(const char *text) {
  char *copy = (char *)malloc(strlen(text) + 1);
  strcpy(copy, text);
  return copy;
}

// Exact, but for want of memory.
char *strndup(const char *text, unsigned long limit) {
  unsigned long length = strnlen(text, limit);
  char *copy = (char *)malloc(length + 1);
  __monabs_copy_bytes(copy, text, length);
  copy[length] = 0;
  return copy;
}
