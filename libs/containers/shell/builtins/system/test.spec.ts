import { testScripts } from '../../testing.js';

testScripts('test', [
  {
    script:
      ': > f; [ -f f ] && echo file; [ -s f ] || echo empty; [ -d . ] && echo dir; [ -e nope ] || echo none; [ -z "" ] && echo z; [ -n a ] && echo n; [ ! a = b ] && echo not',
    all: ['file\nempty\ndir\nnone\nz\nn\nnot\n', '', 0],
  },
  {
    script: 'test a -eq b; echo $?',
    dash: ['2\n', 'sh: 1: test: Illegal number: a\n', 0],
    ash: ['2\n', 'sh: a: bad number\n', 0],
    bash: ['2\n', 'bash: line 1: test: a: integer expression expected\n', 0],
  },
  {
    script: '[ 1 -lt 2 -a 2 -lt 3 ] && echo and; [ 1 -gt 2 -o 1 -eq 1 ] && echo or; test "(" a = a ")" && echo paren',
    all: ['and\nor\nparen\n', '', 0],
  },
  {
    script: '[ a ] && [ -n "" ] || echo empty; test; echo $?; [ ]; echo $?; [ a = ]; echo $?; [ = a ]; [ -f ]; echo $?',
    bash: [
      'empty\n1\n1\n2\n0\n',
      'bash: line 1: [: a: unary operator expected\nbash: line 1: [: =: unary operator expected\n',
      0,
    ],
  },
  {
    script: '[ a; echo $?',
    dash: ['2\n', 'sh: 1: [: missing ]\n', 0],
    ash: ['2\n', 'sh: missing ]\n', 0],
    bash: ['2\n', "bash: line 1: [: missing `]'\n", 0],
  },
]);
