// expect: safe [judge: none]
// A long chain is cut, and means the same.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = -1;
  if (x == 0)
    y = 0;
  else if (x == 1)
    y = 2;
  else if (x == 2)
    y = 4;
  else if (x == 3)
    y = 6;
  else if (x == 4)
    y = 8;
  else if (x == 5)
    y = 10;
  else if (x == 6)
    y = 12;
  else if (x == 7)
    y = 14;
  else if (x == 8)
    y = 16;
  else if (x == 9)
    y = 18;
  else if (x == 10)
    y = 20;
  else if (x == 11)
    y = 22;
  else if (x == 12)
    y = 24;
  else if (x == 13)
    y = 26;
  else if (x == 14)
    y = 28;
  else if (x == 15)
    y = 30;
  else if (x == 16)
    y = 32;
  else if (x == 17)
    y = 34;
  else if (x == 18)
    y = 36;
  else if (x == 19)
    y = 38;
  else if (x == 20)
    y = 40;
  else if (x == 21)
    y = 42;
  else if (x == 22)
    y = 44;
  else if (x == 23)
    y = 46;
  else if (x == 24)
    y = 48;
  else if (x == 25)
    y = 50;
  else if (x == 26)
    y = 52;
  else if (x == 27)
    y = 54;
  else if (x == 28)
    y = 56;
  else if (x == 29)
    y = 58;
  else if (x == 30)
    y = 60;
  else if (x == 31)
    y = 62;
  else if (x == 32)
    y = 64;
  else if (x == 33)
    y = 66;
  else if (x == 34)
    y = 68;
  else if (x == 35)
    y = 70;
  else if (x == 36)
    y = 72;
  else if (x == 37)
    y = 74;
  else if (x == 38)
    y = 76;
  else if (x == 39)
    y = 78;
  else if (x == 40)
    y = 80;
  else if (x == 41)
    y = 82;
  else if (x == 42)
    y = 84;
  else if (x == 43)
    y = 86;
  else if (x == 44)
    y = 88;
  else if (x == 45)
    y = 90;
  else if (x == 46)
    y = 92;
  else if (x == 47)
    y = 94;
  else if (x == 48)
    y = 96;
  else if (x == 49)
    y = 98;
  else if (x == 50)
    y = 100;
  else if (x == 51)
    y = 102;
  else if (x == 52)
    y = 104;
  else if (x == 53)
    y = 106;
  else if (x == 54)
    y = 108;
  else if (x == 55)
    y = 110;
  else if (x == 56)
    y = 112;
  else if (x == 57)
    y = 114;
  else if (x == 58)
    y = 116;
  else if (x == 59)
    y = 118;
  else if (x == 60)
    y = 120;
  else if (x == 61)
    y = 122;
  else if (x == 62)
    y = 124;
  else if (x == 63)
    y = 126;
  else if (x == 64)
    y = 128;
  else if (x == 65)
    y = 130;
  else if (x == 66)
    y = 132;
  else if (x == 67)
    y = 134;
  else if (x == 68)
    y = 136;
  else if (x == 69)
    y = 138;
  else if (x == 70)
    y = 140;
  else if (x == 71)
    y = 142;
  else if (x == 72)
    y = 144;
  else if (x == 73)
    y = 146;
  else if (x == 74)
    y = 148;
  else if (x == 75)
    y = 150;
  else if (x == 76)
    y = 152;
  else if (x == 77)
    y = 154;
  else if (x == 78)
    y = 156;
  else if (x == 79)
    y = 158;
  else if (x == 80)
    y = 160;
  else if (x == 81)
    y = 162;
  else if (x == 82)
    y = 164;
  else if (x == 83)
    y = 166;
  else if (x == 84)
    y = 168;
  else if (x == 85)
    y = 170;
  else if (x == 86)
    y = 172;
  else if (x == 87)
    y = 174;
  else if (x == 88)
    y = 176;
  else if (x == 89)
    y = 178;
  else if (x == 90)
    y = 180;
  else if (x == 91)
    y = 182;
  else if (x == 92)
    y = 184;
  else if (x == 93)
    y = 186;
  else if (x == 94)
    y = 188;
  else if (x == 95)
    y = 190;
  else if (x == 96)
    y = 192;
  else if (x == 97)
    y = 194;
  else if (x == 98)
    y = 196;
  else if (x == 99)
    y = 198;
  else if (x == 100)
    y = 200;
  else if (x == 101)
    y = 202;
  else if (x == 102)
    y = 204;
  else if (x == 103)
    y = 206;
  else if (x == 104)
    y = 208;
  else if (x == 105)
    y = 210;
  else if (x == 106)
    y = 212;
  else if (x == 107)
    y = 214;
  else if (x == 108)
    y = 216;
  else if (x == 109)
    y = 218;
  else if (x == 110)
    y = 220;
  else if (x == 111)
    y = 222;
  else if (x == 112)
    y = 224;
  else if (x == 113)
    y = 226;
  else if (x == 114)
    y = 228;
  else if (x == 115)
    y = 230;
  else if (x == 116)
    y = 232;
  else if (x == 117)
    y = 234;
  else if (x == 118)
    y = 236;
  else if (x == 119)
    y = 238;
  else if (x == 120)
    y = 240;
  else if (x == 121)
    y = 242;
  else if (x == 122)
    y = 244;
  else if (x == 123)
    y = 246;
  else if (x == 124)
    y = 248;
  else if (x == 125)
    y = 250;
  else if (x == 126)
    y = 252;
  else if (x == 127)
    y = 254;
  else if (x == 128)
    y = 256;
  else if (x == 129)
    y = 258;
  else if (x == 130)
    y = 260;
  else
    y = -2;
  assert(y != 240 || x == 120);
  assert(y != -1);
  return 0;
}
