import { testScripts } from '../../testing.js';

testScripts('descriptors', [
  { script: 'cat <<-X\n\ta\n\t\tb\n\tX', all: ['a\nb\n', '', 0] },
  { script: '{ echo a; echo b >&2; } 2>&1 | cat', all: ['a\nb\n', '', 0] },
  { script: 'echo abc | { cat; } > f; cat f', all: ['abc\n', '', 0] },
  { script: 'f() { cat <<X\nin func $1\nX\n}; f 1; f 2', all: ['in func 1\nin func 2\n', '', 0] },
  { script: 'echo hi > f; cat f; echo more >> f; cat < f; cat 0< f', all: ['hi\nhi\nmore\nhi\nmore\n', '', 0] },
  {
    script: 'ls nope* 2>&1 | cat',
    dash: ["ls: cannot access 'nope*': No such file or directory\n", '', 0],
    ash: ['ls: nope*: No such file or directory\n', '', 0],
    bash: ["ls: cannot access 'nope*': No such file or directory\n", '', 0],
  },
  { script: 'if cat <<X\ncond\nX\nthen echo y; fi', all: ['cond\ny\n', '', 0] },
  {
    script: 'cat < /nope',
    dash: ['', 'sh: 1: cannot open /nope: No such file\n', 2],
    ash: ['', "sh: can't open /nope: no such file\n", 1],
    bash: ['', 'bash: line 1: /nope: No such file or directory\n', 1],
  },
  { script: 'a &> /dev/null', dash: ['', 'sh: 1: a: not found\n', 0], ash: ['', '', 127], bash: ['', '', 127] },
  {
    script: 'cat <<-A\n	$(echo a\n	echo b)\n		x$((1+1))	y\n	A',
    bash: ['a\nb\nx2	y\n', '', 0],
  },
  {
    script: "f() { cat <<-END\n\t\tg $1\n\tEND\n}; f 2; cat <<-'A'\n\t\\$x\n\tA",
    bash: ['g 2\n\\$x\n', '', 0],
  },
]);
