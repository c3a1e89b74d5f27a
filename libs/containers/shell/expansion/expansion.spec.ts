import { testScripts } from '../testing.js';

testScripts('expansion', [
  { script: 'x=\'*\'; echo "$x" \'x\'"y"z', all: ['* xyz\n', '', 0] },
  { script: 'x=abc; case $x in (abc) echo paren;; esac', all: ['paren\n', '', 0] },
  { script: 'true | { false; }; echo $?', all: ['1\n', '', 0] },
  { script: 'x=a:b; IFS=:; set -- $x; echo $1 $2', all: ['a b\n', '', 0] },
  { script: 'x() {\necho f\n}\nx', all: ['f\n', '', 0] },
  { script: 'set a b c; echo $1 $3; set --; echo $#; set -- "" x; echo $#', all: ['a c\n0\n2\n', '', 0] },
  { script: "echo $'x' \"$'y'\"", dash: ["$x $'y'\n", '', 0], ash: ["x $'y'\n", '', 0], bash: ["x $'y'\n", '', 0] },
  { script: 'echo {a,b}', dash: ['{a,b}\n', '', 0], ash: ['{a,b}\n', '', 0], bash: ['a b\n', '', 0] },
  { script: 'false | true; echo $?', all: ['0\n', '', 0] },
  { script: 'x=1 y=2; echo $x$y; x= ; echo "[$x]"', all: ['12\n[]\n', '', 0] },
  {
    script: 'if false; then echo 1; elif true; then echo 2; else echo 3; fi; if false; then echo; fi; echo $?',
    all: ['2\n0\n', '', 0],
  },
  { script: 'echo $(echo "a   b") "$(echo "a   b")"', all: ['a b a   b\n', '', 0] },
  {
    script: 'echo a{b,c}d {1..3}',
    dash: ['a{b,c}d {1..3}\n', '', 0],
    ash: ['a{b,c}d {1..3}\n', '', 0],
    bash: ['abd acd 1 2 3\n', '', 0],
  },
  { script: 'x=5 ; case $x in [0-9]) echo digit;; *) echo no;; esac', all: ['digit\n', '', 0] },
  { script: "echo '*'; echo \\*; x='*'; touch q; echo $x \"$x\"", all: ['*\n*\nq *\n', '', 0] },
  {
    script: 'echo {a,b}{1,2} {1..10..3} {c..a} {01..03} x{,y}z "{a,b}" {a} {a..}',
    bash: ['a1 a2 b1 b2 1 4 7 10 c b a 01 02 03 xz xyz {a,b} {a} {a..}\n', '', 0],
  },
  {
    script:
      'x=1; f() { x=2; }; (f; echo $x); echo $x; { f; }; echo $x; f | cat; x=1; echo $x | { f; echo $x; }; echo $x',
    bash: ['2\n1\n2\n2\n1\n', '', 0],
  },
  { script: 'echo "a\\\nb" \'c\\\nd\'', bash: ['ab c\\\nd\n', '', 0] },
  { script: "echo $'\\''{a,b} $'{x,y}'{1..2}", bash: ["'a 'b {x,y}1 {x,y}2\n", '', 0] },
  {
    script: 'echo {a..z}{a..z}{a..z}{a..z}; echo still here',
    bash: ['', 'bash: line 1: xmalloc: cannot allocate 3655808 bytes\n', 2],
  },
  {
    script: 'echo {1..1000000000}; echo still here',
    bash: ['', 'bash: line 1: brace expansion: failed to allocate memory for 1000000000 elements\n', 1],
  },
  {
    script: 'echo {9007199254740992..9007199254740994} {1..99999999999999999999} {5..-1..3} {-01..1}',
    bash: ['9007199254740992 9007199254740993 9007199254740994 {1..99999999999999999999} 5 2 -1 -01 000 001\n', '', 0],
  },
]);
