// expect: unsafe, must [options: --memory-safety-check]
// A call through a null pointer, of a type of which there is no function.
static int (*hook)(int, char);
int main(void) {
  return hook(1, 'a');
}
