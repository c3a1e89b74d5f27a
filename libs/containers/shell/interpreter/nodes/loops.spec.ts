import { testScripts } from '../../testing.js';

testScripts('loops', [
  { script: 'for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done', all: ['1\n3\n', '', 0] },
  { script: 'IFS=,; x=a,,b,; for i in $x; do echo "<$i>"; done', all: ['<a>\n<>\n<b>\n', '', 0] },
  { script: 'for i in `seq 1 5`; do printf "%s," $i; done; echo', all: ['1,2,3,4,5,\n', '', 0] },
  {
    script: 'for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; echo $i$j; done; done',
    all: ['1a\n2a\n3a\n', '', 0],
  },
  { script: 'case abc in a*) echo 1;; *) echo 2;; esac', all: ['1\n', '', 0] },
  { script: 'x="  a   b  "; for i in $x; do echo "<$i>"; done; echo "$x"', all: ['<a>\n<b>\n  a   b  \n', '', 0] },
  { script: 'case a in b) ;; esac; echo $?', all: ['0\n', '', 0] },
  {
    script: 'echo "$@" | cat; f() { for a; do echo "<$a>"; done; }; f \'a b\' \'\' c',
    all: ['\n<a b>\n<>\n<c>\n', '', 0],
  },
  {
    script: 'for f in /bin/nope* ; do echo $f; done; for i in $(seq 3); do echo $i; done',
    bash: ['/bin/nope*\n1\n2\n3\n', '', 0],
  },
]);
