import { testScripts } from '../testing.js';

testScripts('traps between commands', [
  {
    script: "trap 'echo D $BASH_COMMAND' DEBUG; echo a; x=1; echo b | cat",
    bash: ['D echo a\na\nD x=1\nD echo b\nD cat\nb\n', '', 0],
  },
  {
    script:
      'trap \'echo "D $LINENO $BASH_COMMAND"\' DEBUG\nfor i in 1 2; do\n  echo $i\ndone\ncase x in\n  x) echo y ;;\nesac\n((x = 1))\n[[ a == a ]]',
    bash: [
      'D 2 for i in 1 2\nD 3 echo $i\n1\nD 2 for i in 1 2\nD 3 echo $i\n2\nD 5 case x in \nD 6 echo y\ny\nD 8 ((x = 1))\nD 9 [[ a == a ]]\n',
      '',
      0,
    ],
  },
  {
    script:
      'trap \'echo "D $BASH_COMMAND"\' DEBUG; for ((i = 0; i < 1; i++)); do :; done; select x in a "b c"; do :; done 2>&1 </dev/null',
    bash: ['D ((i = 0))\nD ((i < 1))\nD :\nD ((i++))\nD ((i < 1))\nD select x in a "b c"\n1) a\n2) b c\n#? \n', '', 1],
  },
  {
    script: "trap 'echo D' DEBUG; f() { echo in; }; f; x=$(f); echo $x",
    bash: ['D\nin\nD\nD\nin\n', '', 0],
  },
  {
    script: "trap 'echo bye' EXIT; trap 'echo D' DEBUG; echo a",
    bash: ['D\na\nD\nbye\n', '', 0],
  },
  {
    script: "trap 'echo E' ERR; trap 'echo D' DEBUG; false",
    bash: ['D\nD\nE\n', '', 1],
  },
  {
    script: "f() { echo in; return 3; }; trap 'echo R $?' RETURN; f; echo $?",
    bash: ['in\n3\n', '', 0],
  },
  {
    script: "f() { trap 'echo R $FUNCNAME' RETURN; echo in; }; f; g() { echo g; }; g",
    bash: ['in\nR f\ng\n', '', 0],
  },
  {
    script: "set -T; trap 'echo R' RETURN; f() { echo in; }; g() { f; }; g",
    bash: ['in\nR\nR\n', '', 0],
  },
  {
    script: 'trap \'echo "E $? $BASH_COMMAND $LINENO"\' ERR\nfalse\n(exit 3)\n! false\nfalse || true',
    bash: ['E 1 false 2\nE 3 ( exit 3 ) 3\n', '', 0],
  },
  {
    script: 'set -eE; trap \'echo "line $LINENO: $BASH_COMMAND"; exit 7\' ERR; f() {\n  cd /nope\n}\nf\necho b',
    bash: ['line 2: cd /nope\n', 'environment: line 2: cd: /nope: No such file or directory\n', 7],
  },
  {
    script: 'echo $BASH_COMMAND; x=$BASH_COMMAND; echo $x',
    bash: ['echo $BASH_COMMAND\nx=$BASH_COMMAND\n', '', 0],
  },
  {
    script: "trap 'echo x' DEBUG; trap - DEBUG; trap 'echo r' RETURN; trap -p; trap -p RETURN ERR",
    bash: ["x\ntrap -- 'echo r' RETURN\ntrap -- 'echo r' RETURN\n", '', 0],
  },
]);
