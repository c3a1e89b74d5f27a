import { testScripts } from '../../testing.js';

testScripts('flow', [
  {
    script: 'source /nope; echo $?',
    dash: ['127\n', 'sh: 1: source: not found\n', 0],
    ash: ['', "sh: source: line 0: can't open '/nope': No such file or directory\n", 2],
    bash: ['1\n', 'bash: line 1: /nope: No such file or directory\n', 0],
  },
  {
    script: 'return 3; echo $?',
    dash: ['', '', 3],
    ash: ['', '', 3],
    bash: ['2\n', "bash: line 1: return: can only `return' from a function or sourced script\n", 0],
  },
  {
    script: 'exit abc',
    dash: ['', 'sh: 1: exit: Illegal number: abc\n', 2],
    ash: ['', 'sh: exit: line 0: Illegal number: abc\n', 2],
    bash: ['', 'bash: line 1: exit: abc: numeric argument required\n', 2],
  },
  { script: "echo 'v=sourced; echo in' > s; . ./s; echo $v", all: ['in\nsourced\n', '', 0] },
  { script: 'false; echo $?; (exit 4); echo $?; true; echo $?', all: ['1\n4\n0\n', '', 0] },
  { script: 'exec echo replaced; echo no', all: ['replaced\n', '', 0] },
  {
    script: 'break; continue; echo ok; for i in 1 2; do for j in 1 2; do echo $i$j; break 2; done; done',
    dash: ['ok\n11\n', '', 0],
    ash: ['ok\n11\n', '', 0],
    bash: [
      'ok\n11\n',
      "bash: line 1: break: only meaningful in a `for', `while', or `until' loop\nbash: line 1: continue: only meaningful in a `for', `while', or `until' loop\n",
      0,
    ],
  },
  { script: '(exit 3); exit', all: ['', '', 3] },
  {
    script: 'source /dev/null; echo $?',
    dash: ['127\n', 'sh: 1: source: not found\n', 0],
    ash: ['0\n', '', 0],
    bash: ['0\n', '', 0],
  },
  { script: 'select x in a b; do echo $x; break; done <<< 2', bash: ['b\n', '1) a\n2) b\n#? ', 0] },
  { script: 'f() { return 5; }; f; echo $?; f && echo no; x=$(f); echo $?', bash: ['5\n5\n', '', 0] },
  {
    script: 'exec nope',
    dash: ['', 'sh: 1: exec: nope: not found\n', 127],
    ash: ['', 'sh: exec: line 0: nope: not found\n', 127],
    bash: ['', 'bash: line 1: exec: nope: not found\n', 127],
  },
  { script: "sh -c 'exit 300'; echo $?", all: ['44\n', '', 0] },
  { script: "echo 'return 4; echo no' > s; . ./s; echo $?", all: ['4\n', '', 0] },
  { script: 'exec > f; echo in; cat f >&2', all: ['', 'in\n', 0] },
  { script: 'while true; do echo a; break; done | cat', all: ['a\n', '', 0] },
  { script: 'a=1; b=a; eval echo \\$$b; eval "c=\\"x y\\""; echo "$c"', all: ['1\nx y\n', '', 0] },
  { script: 'f() ( x=1; exit 4 ); f; echo $? $x', all: ['4\n', '', 0] },
  {
    script: 'exec /etc/passwd',
    dash: ['', 'sh: 1: exec: /etc/passwd: Permission denied\n', 126],
    ash: ['', 'sh: exec: line 0: /etc/passwd: Permission denied\n', 126],
    bash: [
      '',
      'bash: line 1: /etc/passwd: Permission denied\nbash: line 1: exec: /etc/passwd: cannot execute: Permission denied\n',
      126,
    ],
  },
]);
