// expect: safe, must [options: --memory-safety-check]
// A literal must not be written.
int main(void) {
  char s[] = "abc";
  s[0] = 'x';
  return 0;
}
