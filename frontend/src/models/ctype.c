//! requires: isdigit isupper islower isalpha isalnum isspace isblank iscntrl isprint isgraph ispunct isxdigit isascii toupper tolower toascii _toupper _tolower __ctype_b_loc
// Characters, exact for the C locale. glibc's headers look into tables, which __ctype_b_loc and its relatives return.

// Any number but 0 for yes.
static int __monabs_truth(_Bool holds) {
  int result = __monabs_nondet_int();
  __CPROVER_assume((result != 0) == holds);
  return result;
}

// Exact up to the number that says yes, which is any but 0.
int isdigit(int character) {
  return __monabs_truth(character >= '0' && character <= '9');
}

// Exact up to the number that says yes, which is any but 0.
int isupper(int character) {
  return __monabs_truth(character >= 'A' && character <= 'Z');
}

// Exact up to the number that says yes, which is any but 0.
int islower(int character) {
  return __monabs_truth(character >= 'a' && character <= 'z');
}

// Exact up to the number that says yes, which is any but 0.
int isalpha(int character) {
  return __monabs_truth(isupper(character) || islower(character));
}

// Exact up to the number that says yes, which is any but 0.
int isalnum(int character) {
  return __monabs_truth(isalpha(character) || isdigit(character));
}

// Exact up to the number that says yes, which is any but 0.
int isspace(int character) {
  return __monabs_truth(character == ' ' || (character >= '\t' && character <= '\r'));
}

// Exact up to the number that says yes, which is any but 0.
int isblank(int character) {
  return __monabs_truth(character == ' ' || character == '\t');
}

// Exact up to the number that says yes, which is any but 0.
int iscntrl(int character) {
  return __monabs_truth((character >= 0 && character < 32) || character == 127);
}

// Exact up to the number that says yes, which is any but 0.
int isprint(int character) {
  return __monabs_truth(character >= 32 && character < 127);
}

// Exact up to the number that says yes, which is any but 0.
int isgraph(int character) {
  return __monabs_truth(character > 32 && character < 127);
}

// Exact up to the number that says yes, which is any but 0.
int ispunct(int character) {
  return __monabs_truth(isgraph(character) && !isalnum(character));
}

// Exact up to the number that says yes, which is any but 0.
int isxdigit(int character) {
  return __monabs_truth(isdigit(character) || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F'));
}

// Exact up to the number that says yes, which is any but 0.
int isascii(int character) {
  return __monabs_truth(character >= 0 && character < 128);
}

// Exact.
int toupper(int character) {
  return islower(character) ? character - 'a' + 'A' : character;
}

// Exact.
int tolower(int character) {
  return isupper(character) ? character - 'A' + 'a' : character;
}

// Exact.
int toascii(int character) {
  return character & 127;
}

// Exact for letters of the other kind.
int _toupper(int character) {
  return character - 'a' + 'A';
}

// Exact for letters of the other kind.
int _tolower(int character) {
  return character - 'A' + 'a';
}

// Exact: for each character from -128 to 255 a number whose bits say what it is, in the order of glibc.
const unsigned short **__ctype_b_loc(void) {
  static const unsigned short table[384] = {
    [128] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
    49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2
  };
  static const unsigned short *middle = table + 128;
  return &middle;
}
