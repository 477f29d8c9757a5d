//! requires: read pread recv write pwrite send sendto lseek open openat creat dup dup2 dup3 socket eventfd close unlink unlinkat rmdir mkdir chdir fchdir access fsync fdatasync ftruncate truncate link symlink chmod fchmod chown fchown lchown chroot setpgid mkfifo lockf flock bind listen connect shutdown setsockopt sethostname tcflush tcdrain isatty getcwd getwd htons ntohs htonl ntohl
//! accesses: user
// Files by number, sockets, and the order of bytes. What is read is any input; what is written is only read.

// Exact: any number of the bytes, any content; or an error.
static long __monabs_receive(void *target, unsigned long size) {
  if (__monabs_nondet_bool()) {
    __monabs_fail();
    return -1;
  }
  return (long)__monabs_any_bytes(target, size);
}

// Exact: any number of the bytes, or an error.
static long __monabs_send(const void *source, unsigned long size) {
  unsigned long count = __monabs_nondet_ulong();
  __CPROVER_assume(count <= size);
  __monabs_look_at_bytes(source, size);
  if (__monabs_nondet_bool()) {
    __monabs_fail();
    return -1;
  }
  return (long)count;
}

// Exact: any number of the bytes, any content; or an error.
long read(int file, void *target, unsigned long size) {
  return __monabs_receive(target, size);
}

// Exact: see read.
long pread(int file, void *target, unsigned long size, long offset) {
  return __monabs_receive(target, size);
}

// Exact: see read.
long recv(int file, void *target, unsigned long size, int flags) {
  return __monabs_receive(target, size);
}

// Exact: any number of the bytes, or an error.
long write(int file, const void *source, unsigned long size) {
  return __monabs_send(source, size);
}

// Exact: see write.
long pwrite(int file, const void *source, unsigned long size, long offset) {
  return __monabs_send(source, size);
}

// Exact: see write.
long send(int file, const void *source, unsigned long size, int flags) {
  return __monabs_send(source, size);
}

// Exact: see write.
long sendto(int file, const void *source, unsigned long size, int flags, const void *address, unsigned length) {
  __monabs_look_at_bytes(address, length);
  return __monabs_send(source, size);
}

// Over-approximated: any place, or -1 with an error.
long lseek(int file, long offset, int origin) {
  long place = __monabs_guess_long("the place in a file");
  if (place < 0) {
    __monabs_fail();
    return -1;
  }
  return place;
}

// Exact until a file is closed, over-approximated after that: a number, or -1 with an error.
int open(const char *path, int flags, ...) {
  __monabs_look_at_text(path);
  return __monabs_file();
}

// Exact until a file is closed, over-approximated after that: a number, or -1 with an error.
int openat(int folder, const char *path, int flags, ...) {
  __monabs_look_at_text(path);
  return __monabs_file();
}

// Exact until a file is closed, over-approximated after that: a number, or -1 with an error.
int creat(const char *path, unsigned mode) {
  __monabs_look_at_text(path);
  return __monabs_file();
}

// Exact until a file is closed, over-approximated after that: a number, or -1 with an error.
int dup(int file) {
  return __monabs_file();
}

// Exact: the number that is asked for, or -1 with an error.
int dup2(int file, int other) {
  if (other < 0 || __monabs_nondet_bool()) {
    __monabs_fail();
    return -1;
  }
  __monabs_file_closed = 1;
  return other;
}

// Exact: see dup2, but that the numbers must differ.
int dup3(int file, int other, int flags) {
  if (file == other) {
    __monabs_errno = 22;
    return -1;
  }
  return dup2(file, other);
}

// Exact until a file is closed, over-approximated after that: a number, or -1 with an error.
int socket(int domain, int type, int protocol) {
  return __monabs_file();
}

// Over-approximated: what is read from it is any number.
int eventfd(unsigned value, int flags) {
  __monabs_approximate("what is read from an eventfd is any input");
  return __monabs_file();
}

// Exact: 0, or -1 with an error.
int close(int file) {
  __monabs_file_closed = 1;
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int unlink(const char *path) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int unlinkat(int folder, const char *path, int flags) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int rmdir(const char *path) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int mkdir(const char *path, unsigned mode) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int chdir(const char *path) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int fchdir(int file) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int access(const char *path, int mode) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int fsync(int file) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int fdatasync(int file) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int ftruncate(int file, long size) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int truncate(const char *path, long size) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int link(const char *path, const char *other) {
  __monabs_look_at_text(path);
  __monabs_look_at_text(other);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int symlink(const char *path, const char *other) {
  __monabs_look_at_text(path);
  __monabs_look_at_text(other);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int chmod(const char *path, unsigned mode) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int fchmod(int file, unsigned mode) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int chown(const char *path, unsigned user, unsigned group) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int fchown(int file, unsigned user, unsigned group) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int lchown(const char *path, unsigned user, unsigned group) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int chroot(const char *path) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int setpgid(int process, int group) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int mkfifo(const char *path, unsigned mode) {
  __monabs_look_at_text(path);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int lockf(int file, int command, long size) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int flock(int file, int operation) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int bind(int file, const void *address, unsigned length) {
  __monabs_look_at_bytes(address, length);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int listen(int file, int length) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int connect(int file, const void *address, unsigned length) {
  __monabs_look_at_bytes(address, length);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int shutdown(int file, int how) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int setsockopt(int file, int level, int option, const void *value, unsigned length) {
  __monabs_look_at_bytes(value, length);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int sethostname(const char *name, unsigned long length) {
  __monabs_look_at_bytes(name, length);
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int tcflush(int file, int queue) {
  return __monabs_status();
}

// Exact: 0, or -1 with an error.
int tcdrain(int file) {
  return __monabs_status();
}

// Exact: yes or no.
int isatty(int file) {
  return __monabs_nondet_bool() ? 1 : 0;
}

// Over-approximated: any text that fits, or an error.
char *getcwd(char *target, unsigned long size) {
  unsigned long position;
  if (target == 0) {
    __monabs_limit("getcwd that allocates is not modelled");
  }
  if (__monabs_nondet_bool()) {
    __monabs_fail();
    return 0;
  }
  position = __monabs_put_any(target, size, 0, size);
  __monabs_put_end(target, size, position);
  return target;
}

// No answer: a buffer without a size.
char *getwd(char *target) {
  __monabs_limit("getwd is not modelled; use getcwd");
  return target;
}

// Exact for machines with the low byte first.
unsigned short htons(unsigned short number) {
  return (unsigned short)((unsigned)number << 8 | (unsigned)number >> 8);
}

// Exact for machines with the low byte first.
unsigned short ntohs(unsigned short number) {
  return (unsigned short)((unsigned)number << 8 | (unsigned)number >> 8);
}

// Exact for machines with the low byte first.
unsigned htonl(unsigned number) {
  return number << 24 | (number & 0xff00u) << 8 | (number >> 8 & 0xff00u) | number >> 24;
}

// Exact for machines with the low byte first.
unsigned ntohl(unsigned number) {
  return number << 24 | (number & 0xff00u) << 8 | (number >> 8 & 0xff00u) | number >> 24;
}
