// Initialisers (C11 6.7.9): designators and what follows them, left-out braces, unions, bit-fields, strings, static addresses.
#include <assert.h>
extern void reach_error(void);
struct in { int a; int b[3]; int c; };
struct out { int x; struct in s; int y; };
struct anon { int p; struct { int q; int r; }; union { int u; char v; }; int w; };
union un { int i; char c[8]; };
struct bits { unsigned a : 3; int b : 5; unsigned : 4; _Bool f : 1; unsigned char d : 7; };
struct un_in { int k; union un u; int l; };
static int calls;
static int next(void) { return ++calls; }
int g0 = 5, garr[4] = { 1, 2, 3, 4 };
struct out gs = { .s.b[1] = 7, 8, 9, 10, .x = 1 };
int *gp = &garr[2], *gq = garr + 1, *gr = &gs.s.b[2];
char *gc = (char *)&g0 + 1;
int *gl = (int[]){ 4, 5, 6 };
struct in *gi = &(struct in){ 1, { 2, 3 }, 4 };
struct out go = { 1, (struct in){ 2, { 3 }, 4 }, 5 };
long gaddress = (long)&g0;
struct un_in garray[2] = { { 1, { 2 }, 3 }, [1].u.c = { 'a', 'b' }, 9 };
char grid[2][4] = { "ab", { 'c', 'd' } };
int unsigned ranges[6] = { [1 ... 3] = 7, 8, [0] = 1 };
int main(void) {
  assert(gs.x == 1 && gs.s.a == 0 && gs.s.b[0] == 0 && gs.s.b[1] == 7 && gs.s.b[2] == 8 && gs.s.c == 9 && gs.y == 10);
  assert(*gp == 3 && *gq == 2 && *gr == 8 && gl[2] == 6 && gi->b[1] == 3 && gi->b[2] == 0 && gi->c == 4);
  assert(go.s.a == 2 && go.s.b[0] == 3 && go.s.b[1] == 0 && go.s.c == 4 && go.y == 5);
  assert(garray[0].u.i == 2 && garray[0].l == 3 && garray[1].u.c[1] == 'b' && garray[1].l == 9 && garray[1].k == 0);
  assert(grid[0][1] == 'b' && grid[0][2] == 0 && grid[1][0] == 'c' && grid[1][1] == 'd' && grid[1][2] == 0);
  assert(ranges[0] == 1 && ranges[1] == 7 && ranges[3] == 7 && ranges[4] == 8 && ranges[5] == 0);
  assert((int *)gaddress == &g0);
  struct out a = { 1, 2, 3, 4, 5, 6, 7 };
  assert(a.x == 1 && a.s.a == 2 && a.s.b[2] == 5 && a.s.c == 6 && a.y == 7);
  struct out b = { 1, { 2, 3 }, 4 };
  assert(b.s.a == 2 && b.s.b[0] == 3 && b.s.b[1] == 0 && b.y == 4);
  struct out c = { .y = 3, .s = { .b = { [2] = 4 } } };
  assert(c.x == 0 && c.s.b[2] == 4 && c.s.b[0] == 0 && c.y == 3);
  struct out d = { .s.a = 1, .s.b[0] = 2, .s = { .c = 5 }, 6 };
  assert(d.s.a == 0 && d.s.b[0] == 0 && d.s.c == 5 && d.y == 6);
  struct in whole = { 1, { 2, 3, 4 }, 5 };
  struct out e = { .s = whole, 9, .x = 4 };
  assert(e.s.a == 1 && e.s.b[0] == 2 && e.s.b[1] == 3 && e.s.c == 5 && e.y == 9 && e.x == 4);
  struct anon n = { .r = 4, 5, 6, .p = 1, 2 };
  assert(n.p == 1 && n.q == 2 && n.r == 4 && n.u == 5 && n.w == 6);
  union un u = { .c = { 1, 2 }, };
  assert(u.c[0] == 1 && u.c[1] == 2 && u.c[2] == 0);
  union un v = { .i = 0x01020304, .c[0] = 9 };
  assert(v.i == 9);
  union un z = { .c[0] = 1, .c[2] = 3 };
  assert(z.c[0] == 1 && z.c[1] == 0 && z.c[2] == 3);
  struct bits w = { 9, -1, 2, 200 };
  assert(w.a == 1 && w.b == -1 && w.f == 1 && w.d == 72);
  struct bits w2 = { .d = 1, .a = 7 };
  assert(w2.a == 7 && w2.b == 0 && w2.f == 0 && w2.d == 1);
  int m[2][3] = { 1, 2, 3, 4 };
  assert(m[0][2] == 3 && m[1][0] == 4 && m[1][1] == 0);
  int m2[][2] = { { 1 }, [3] = { 2, 3 }, { 4 }, [1] = { 5, 6 }, 7, 8 };
  assert(sizeof m2 / sizeof m2[0] == 5 && m2[3][0] == 7 && m2[3][1] == 3 && m2[4][0] == 8 || m2[2][0] == 7);
  char s1[3] = "abc", s2[] = "abc", s3[5] = { "ab" }, s4[2] = "", s5[] = { 'x', 'y' };
  assert(s1[2] == 'c' && sizeof s2 == 4 && s3[1] == 'b' && s3[4] == 0 && s4[1] == 0 && sizeof s5 == 2);
  int wide[] = L"a\u00e9"; unsigned short half[] = u"\U0001F600"; unsigned full[4] = U"xy";
  assert(sizeof wide == 12 && wide[1] == 0xe9 && wide[2] == 0 && sizeof half == 6 && half[0] == 0xd83d && full[1] == 'y' && full[3] == 0);
  unsigned char high[] = "\377\xfe";
  assert(high[0] == 255 && high[1] == 254 && "\377"[0] == -1);
  int order[3] = { next(), 0, next() };
  assert(order[0] + order[2] == 3 && calls == 2);
  int zero = { 0 }, one = { 1 }; int braced = { (3) };
  assert(zero == 0 && one == 1 && braced == 3);
  int *compound = (int[3]){ [1] = 5, 6 };
  assert(compound[0] == 0 && compound[1] == 5 && compound[2] == 6);
  struct in x = (struct in){ .b = { 1, 2 } }, y = { .c = (struct in){ .a = 3 }.a };
  assert(x.b[1] == 2 && y.c == 3);
  struct in t[2] = { [0].b[1] = 5, 6, [1] = { 1 } };
  assert(t[0].b[1] == 5 && t[0].b[2] == 6 && t[0].a == 0 && t[1].a == 1);
  static struct out st[2] = { [1].s.b = { 1, 2, 3 }, 4, 5 };
  assert(st[1].s.b[2] == 3 && st[1].s.c == 4 && st[1].y == 5 && st[0].y == 0);
  for (int i = 0; i < 2; i++) { int fresh[2] = { i }; assert(fresh[0] == i && fresh[1] == 0); fresh[1] = 7; }
  reach_error(); return 0; }
void reach_error(void) {}
