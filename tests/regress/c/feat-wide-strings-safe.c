// expect: safe, must
// Wide strings are copied, appended and compared.
#include <assert.h>
#include <wchar.h>

int main(void) {
  wchar_t text[8];
  wcscpy(text, L"ab");
  wcscat(text, L"cd");
  assert(wcslen(text) == 4);
  assert(wcscmp(text, L"abcd") == 0);
  assert(wcscmp(text, L"abce") < 0);
  assert(wcschr(text, L'c') == text + 2);
  assert(sizeof L"ab" == 12);
  wmemset(text, L'x', 2);
  assert(text[1] == L'x' && text[2] == L'c');
  return 0;
}
