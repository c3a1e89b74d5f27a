import { testScripts } from '../../testing.js';

testScripts('declare', [
  {
    script:
      'f() { :; }; export -f f; echo $?; readonly -f f; f() { echo; }; echo $?; declare -fx f; export -f g; export -f',
    bash: [
      '0\n1\nf () \n{ \n    :\n}\ndeclare -frx f\n',
      'bash: line 1: f: readonly function\nbash: line 1: export: g: not a function\n',
      0,
    ],
  },
  {
    script: 'f() { :; }; g() { :; }; export -f f; readonly -f g; readonly -f; declare -F; declare +x -f f; export -f',
    bash: ['g () \n{ \n    :\n}\ndeclare -fr g\ndeclare -fx f\ndeclare -fr g\n', '', 0],
  },
  { script: 'f() { local x=2; g; echo $x; }; g() { x=3; }; x=1; f; echo $x', all: ['3\n1\n', '', 0] },
  { script: "export A=1; sh -c 'echo $A'; B=2 sh -c 'echo $B'; echo \"[$B]\"", all: ['1\n2\n[]\n', '', 0] },
  {
    script: "export 'a b=c'; echo $?",
    dash: ['', 'sh: 1: export: a b: bad variable name\n', 2],
    ash: ['', 'sh: export: line 0: a b: bad variable name\n', 2],
    bash: ['1\n', "bash: line 1: export: `a b=c': not a valid identifier\n", 0],
  },
  {
    script: 'local x; echo $?',
    dash: ['', 'sh: 1: local: not in a function\n', 2],
    ash: ['', 'sh: local: line 0: not in a function\n', 2],
    bash: ['1\n', 'bash: line 1: local: can only be used in a function\n', 0],
  },
  {
    script: 'declare x=1; echo $?; typeset y',
    dash: ['127\n', 'sh: 1: declare: not found\nsh: 1: typeset: not found\n', 127],
    ash: ['127\n', 'sh: declare: not found\nsh: typeset: not found\n', 127],
    bash: ['0\n', '', 0],
  },
  {
    script:
      'a=(1 2 3); echo ${a[0]} ${a[@]} ${#a[@]} ${a[-1]}; a+=(4); echo "${a[@]:1:2}" "${!a[@]}"; a[7]=x; echo ${!a[@]}; unset \'a[0]\'; echo ${a[@]}',
    bash: ['1 1 2 3 3 3\n2 3 0 1 2 3\n0 1 2 3 7\n2 3 4 x\n', '', 0],
  },
  {
    script:
      "declare -p nope; echo $?; declare -x ex=1; declare -p ex; declare -a ar=(a 'b c'); declare -p ar; declare -A as=([k]=v); declare -p as",
    bash: [
      '1\ndeclare -x ex="1"\ndeclare -a ar=([0]="a" [1]="b c")\ndeclare -A as=([k]="v" )\n',
      'bash: line 1: declare: nope: not found\n',
      0,
    ],
  },
  {
    script: 'local x=1',
    dash: ['', 'sh: 1: local: not in a function\n', 2],
    ash: ['', 'sh: local: line 0: not in a function\n', 2],
    bash: ['', 'bash: line 1: local: can only be used in a function\n', 1],
  },
  {
    script: 'unset x; echo ${x?}; echo no',
    dash: ['', 'sh: 1: x: parameter not set\n', 2],
    ash: ['', 'sh: x: parameter not set\n', 2],
    bash: ['', 'bash: line 1: x: parameter not set\n', 127],
  },
  {
    script: 'readonly a=1; a=2; echo no',
    dash: ['', 'sh: 1: a: is read only\n', 2],
    ash: ['', 'sh: a: is read only\n', 2],
    bash: ['', 'bash: line 1: a: readonly variable\n', 1],
  },
  {
    script:
      'declare -A m=([a]=1 [b]="x y"); m[c]=3; echo ${m[b]} ${#m[@]}; for k in "${!m[@]}"; do echo $k=${m[$k]}; done',
    bash: ['x y 3\nc=3\nb=x y\na=1\n', '', 0],
  },
  {
    script: 'declare -f nope; echo $?; f() { echo a; echo b; }; declare -F f; declare -f f',
    bash: ['1\nf\nf () \n{ \n    echo a;\n    echo b\n}\n', '', 0],
  },
  {
    script: 'local x; echo $?; return 2>/dev/null; echo $?',
    bash: ['1\n2\n', 'bash: line 1: local: can only be used in a function\n', 0],
  },
  {
    script: 'readonly x=1; x=2; echo y',
    dash: ['', 'sh: 1: x: is read only\n', 2],
    ash: ['', 'sh: x: is read only\n', 2],
    bash: ['', 'bash: line 1: x: readonly variable\n', 1],
  },
]);
