import { testScripts } from '../../testing.js';

testScripts('printf', [
  {
    script: "printf '%s-%s\\n' a b c; printf '%5d|%-5d|%05d\\n' 42 42 42; printf '%%\\n'",
    all: ['a-b\nc-\n   42|42   |00042\n%\n', '', 0],
  },
  {
    script: "printf '%d\\n' abc; echo $?",
    dash: ['0\n1\n', 'sh: 1: printf: abc: expected numeric value\n', 0],
    ash: ['0\n1\n', "sh: invalid number 'abc'\n", 0],
    bash: ['0\n1\n', 'bash: line 1: printf: abc: invalid number\n', 0],
  },
  {
    script: "printf '%x %o %X %#x\\n' 255 8 255 255; printf '%e %g %f\\n' 1.5 0.0001 2",
    all: ['ff 10 FF 0xff\n1.500000e+00 0.0001 2.000000\n', '', 0],
  },
  { script: 'printf \'a\\nb\\n\' | while read l; do echo "<$l>"; done', all: ['<a>\n<b>\n', '', 0] },
  { script: "read a < /dev/null; echo $?; printf 'x' | (read a; echo $? $a)", all: ['1\n1 x\n', '', 0] },
  {
    script:
      "printf -v v '%03d' 7; echo $v; printf '%q\\n' \"a b\" \"x'y\" '' $'a\\nb'; printf '%(%Y)T\\n' 0; printf '%s %s\\n' \"${a[@]}\" x",
    bash: ["007\na\\ b\nx\\'y\n''\n$'a\\nb'\n1970\nx \n", '', 0],
  },
  {
    script: 'printf %5000000d 1; echo $?',
    bash: ['1\n', 'bash: line 1: printf: write error: Cannot allocate memory\n', 0],
  },
]);
