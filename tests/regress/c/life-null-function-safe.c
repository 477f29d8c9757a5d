// expect: safe, must [options: --memory-safety-check]
// A call through a null pointer, of a type of which there is no function.
static int (*hook)(int, char);
int main(void) {
  return hook ? hook(1, 'a') : 0;
}
