//! requires: fopen fdopen freopen tmpfile fclose fflush fflush_unlocked fseek fseeko remove rename ftell ftello rewind feof ferror feof_unlocked ferror_unlocked fileno fileno_unlocked getchar getchar_unlocked fgetc getc getc_unlocked fgetc_unlocked putchar putchar_unlocked fputc putc putc_unlocked fputc_unlocked ungetc puts fputs fputs_unlocked perror fgets fgets_unlocked gets fread fwrite fread_unlocked fwrite_unlocked setvbuf setbuf getw putw ftrylockfile flockfile funlockfile
//! accesses: user
// Streams. What is read is any input; what is written is only read. printf and scanf are built in.

// Streams that work may set errno, too: glibc asks whether they are terminals.
static void __monabs_output(void) {
  __monabs_set_errno(__monabs_guess_int("whether output sets errno"));
}

// Exact: a stream of its own, or 0 with an error.
static void *__monabs_open_stream(void) {
  char *stream = (char *)__monabs_handle();
  if (stream != 0) {
    *stream = 0;
  }
  return stream;
}

// Exact: a stream of its own, or 0 with an error.
void *fopen(const char *path, const char *mode) {
  __monabs_look_at_text(path);
  __monabs_look_at_text(mode);
  return __monabs_open_stream();
}

// Exact: a stream of its own, or 0 with an error.
void *fdopen(int file, const char *mode) {
  __monabs_look_at_text(mode);
  return __monabs_open_stream();
}

// Exact: the same stream, or 0 with an error.
void *freopen(const char *path, const char *mode, void *stream) {
  __monabs_stream(stream);
  if (path != 0) {
    __monabs_look_at_text(path);
  }
  __monabs_look_at_text(mode);
  if (__monabs_nondet_bool()) {
    __monabs_fail();
    return 0;
  }
  return stream;
}

// Over-approximated: what is read from it is any input, though nobody else can write to it.
void *tmpfile(void) {
  void *stream = __monabs_open_stream();
  if (stream != 0) {
    __monabs_approximate("what is read from a temporary file is any input");
  }
  return stream;
}

// Exact: 0, or -1 (EOF) with an error.
int fclose(void *stream) {
  __monabs_stream(stream);
  __monabs_file_closed = 1;
  if (__monabs_reads() && *(char *)stream == 0) {
    free(stream);
  }
  return __monabs_status();
}

// Exact: 0, or -1 (EOF) with an error.
int fflush(void *stream) {
  if (stream != 0) {
    __monabs_stream(stream);
  }
  return __monabs_status();
}

// Exact: 0, or -1 (EOF) with an error.
int fflush_unlocked(void *stream) {
  if (stream != 0) {
    __monabs_stream(stream);
  }
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int fseek(void *stream, long offset, int origin) {
  __monabs_stream(stream);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int fseeko(void *stream, long offset, int origin) {
  __monabs_stream(stream);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int remove(const char *path) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int rename(const char *path, const char *other) {
  __monabs_look_at_text(path);
  __monabs_look_at_text(other);
  return __monabs_status();
}

// Over-approximated: any place, or -1 with an error.
long ftell(void *stream) {
  __monabs_stream(stream);
  long place = __monabs_guess_long("the place in a stream");
  if (place < 0) {
    __monabs_fail();
    return -1;
  }
  return place;
}

// Over-approximated: see ftell.
long ftello(void *stream) {
  return ftell(stream);
}

// Exact: has no result.
void rewind(void *stream) {
  __monabs_stream(stream);
}

// Over-approximated: any answer, whatever was read before.
int feof(void *stream) {
  __monabs_stream(stream);
  return __monabs_guess_int("whether a stream is at its end or had an error");
}

// Over-approximated: any answer, whatever was read before.
int ferror(void *stream) {
  __monabs_stream(stream);
  return __monabs_guess_int("whether a stream is at its end or had an error");
}

// Over-approximated: any answer, whatever was read before.
int feof_unlocked(void *stream) {
  __monabs_stream(stream);
  return __monabs_guess_int("whether a stream is at its end or had an error");
}

// Over-approximated: any answer, whatever was read before.
int ferror_unlocked(void *stream) {
  __monabs_stream(stream);
  return __monabs_guess_int("whether a stream is at its end or had an error");
}

// Over-approximated: any number, or -1 with an error.
int fileno(void *stream) {
  __monabs_stream(stream);
  int number = __monabs_guess_int("the number of a stream's file");
  if (number < 0) {
    __monabs_fail();
    return -1;
  }
  return number;
}

// Over-approximated: any number, or -1 with an error.
int fileno_unlocked(void *stream) {
  __monabs_stream(stream);
  int number = __monabs_guess_int("the number of a stream's file");
  if (number < 0) {
    __monabs_fail();
    return -1;
  }
  return number;
}

// Exact: any character or -1 (EOF).
int getchar(void) {
  int character = __monabs_nondet_int();
  __CPROVER_assume(character >= -1 && character <= 255);
  return character;
}

// Exact: any character or -1 (EOF).
int getchar_unlocked(void) {
  int character = __monabs_nondet_int();
  __CPROVER_assume(character >= -1 && character <= 255);
  return character;
}

// Exact: any character or -1 (EOF).
int fgetc(void *stream) {
  int character = __monabs_nondet_int();
  __monabs_stream(stream);
  __CPROVER_assume(character >= -1 && character <= 255);
  return character;
}

// Exact: any character or -1 (EOF).
int getc(void *stream) {
  int character = __monabs_nondet_int();
  __monabs_stream(stream);
  __CPROVER_assume(character >= -1 && character <= 255);
  return character;
}

// Exact: any character or -1 (EOF).
int getc_unlocked(void *stream) {
  int character = __monabs_nondet_int();
  __monabs_stream(stream);
  __CPROVER_assume(character >= -1 && character <= 255);
  return character;
}

// Exact: any character or -1 (EOF).
int fgetc_unlocked(void *stream) {
  int character = __monabs_nondet_int();
  __monabs_stream(stream);
  __CPROVER_assume(character >= -1 && character <= 255);
  return character;
}

// Exact: the character or -1 (EOF).
int putchar(int character) {
  __monabs_output();
  return __monabs_nondet_bool() ? (int)(unsigned char)character : -1;
}

// Exact: the character or -1 (EOF).
int putchar_unlocked(int character) {
  __monabs_output();
  return __monabs_nondet_bool() ? (int)(unsigned char)character : -1;
}

// Exact: the character or -1 (EOF).
int fputc(int character, void *stream) {
  __monabs_stream(stream);
  __monabs_output();
  return __monabs_nondet_bool() ? (int)(unsigned char)character : -1;
}

// Exact: the character or -1 (EOF).
int putc(int character, void *stream) {
  __monabs_stream(stream);
  __monabs_output();
  return __monabs_nondet_bool() ? (int)(unsigned char)character : -1;
}

// Exact: the character or -1 (EOF).
int putc_unlocked(int character, void *stream) {
  __monabs_stream(stream);
  __monabs_output();
  return __monabs_nondet_bool() ? (int)(unsigned char)character : -1;
}

// Exact: the character or -1 (EOF).
int fputc_unlocked(int character, void *stream) {
  __monabs_stream(stream);
  __monabs_output();
  return __monabs_nondet_bool() ? (int)(unsigned char)character : -1;
}

// Over-approximated: what is read next is any character.
int ungetc(int character, void *stream) {
  __monabs_stream(stream);
  if (character == -1 || __monabs_nondet_bool()) {
    return -1;
  }
  __monabs_approximate("what is read after ungetc is any input");
  return (int)(unsigned char)character;
}

// Exact: any number that is not negative, or -1 (EOF).
int puts(const char *text) {
  __monabs_look_at_text(text);
  __monabs_output();
  return __monabs_number();
}

// Exact: any number that is not negative, or -1 (EOF).
int fputs(const char *text, void *stream) {
  __monabs_stream(stream);
  __monabs_look_at_text(text);
  __monabs_output();
  return __monabs_number();
}

// Exact: any number that is not negative, or -1 (EOF).
int fputs_unlocked(const char *text, void *stream) {
  __monabs_stream(stream);
  __monabs_look_at_text(text);
  __monabs_output();
  return __monabs_number();
}

// Exact: writes a message to stderr.
void perror(const char *text) {
  if (text != 0) {
    __monabs_look_at_text(text);
  }
  __monabs_output();
}

// Exact: a line of at most size - 1 characters, or 0; then the text is as before, or any.
char *fgets(char *target, int size, void *stream) {
  int length = __monabs_nondet_int();
  int index;
  char character;
  __monabs_stream(stream);
  if (size <= 0) {
    return 0;
  }
  __CPROVER_assume(length >= 0 && length < size);
  for (index = 0; index < length; index = index + 1) {
    character = __monabs_nondet_char();
    __CPROVER_assume(index + 1 == length || character != '\n');
    target[index] = character;
  }
  if (__monabs_nondet_bool()) {
    return 0;
  }
  // There is at least one character, if there is room for one.
  __CPROVER_assume(length > 0 || size == 1);
  target[length] = 0;
  return target;
}

// Exact: see fgets.
char *fgets_unlocked(char *target, int size, void *stream) {
  return fgets(target, size, stream);
}

// Exact: a line of any length, also one that is too long, without its end; or 0.
char *gets(char *target) {
  unsigned long length = 0;
  char character;
  while (__monabs_nondet_bool()) {
    character = __monabs_nondet_char();
    __CPROVER_assume(character != '\n');
    target[length] = character;
    length = length + 1;
  }
  if (__monabs_nondet_bool()) {
    return 0;
  }
  target[length] = 0;
  return target;
}

// Exact: any number of elements, any content.
unsigned long fread(void *target, unsigned long size, unsigned long count, void *stream) {
  __monabs_stream(stream);
  unsigned long bytes = __monabs_any_bytes(target, size * count);
  return size == 0 ? 0 : bytes / size;
}

// Exact: any number of elements.
unsigned long fwrite(const void *source, unsigned long size, unsigned long count, void *stream) {
  unsigned long written = __monabs_nondet_ulong();
  __monabs_stream(stream);
  __CPROVER_assume(written <= count && (size > 0 || written == 0));
  __monabs_look_at_bytes(source, size * count);
  __monabs_output();
  return written;
}

// Exact: see fread.
unsigned long fread_unlocked(void *target, unsigned long size, unsigned long count, void *stream) {
  return fread(target, size, count, stream);
}

// Exact: see fwrite.
unsigned long fwrite_unlocked(const void *source, unsigned long size, unsigned long count, void *stream) {
  return fwrite(source, size, count, stream);
}

// Exact for streams without a buffer of the program; no answer for others.
int setvbuf(void *stream, char *buffer, int mode, unsigned long size) {
  __monabs_stream(stream);
  if (buffer != 0) {
    __monabs_limit("buffers of streams are not modelled");
  }
  return __monabs_nondet_int();
}

// Exact: see setvbuf.
void setbuf(void *stream, char *buffer) {
  setvbuf(stream, buffer, 0, 0);
}

// Exact: any number, or -1 (EOF).
int getw(void *stream) {
  __monabs_stream(stream);
  return __monabs_nondet_int();
}

// Exact: 0, or -1 (EOF).
int putw(int number, void *stream) {
  __monabs_stream(stream);
  return __monabs_status();
}

// Over-approximated: any answer, and nobody is kept out.
int ftrylockfile(void *stream) {
  __monabs_stream(stream);
  __monabs_approximate("locks of streams keep nobody out");
  return __monabs_nondet_bool() ? 0 : -1;
}

// Over-approximated: nobody is kept out.
void flockfile(void *stream) {
  __monabs_stream(stream);
  __monabs_approximate("locks of streams keep nobody out");
}

// Exact: see flockfile.
void funlockfile(void *stream) {
  __monabs_stream(stream);
}
