import { testScripts } from '../../testing.js';

testScripts('read', [
  {
    script: 'echo \'a\\b\' | { read x; echo "$x"; }; echo \'a\\b\' | { read -r x; echo "$x"; }',
    dash: ['a\b\na\b\n', '', 0],
    ash: ['ab\na\\b\n', '', 0],
    bash: ['ab\na\\b\n', '', 0],
  },
  {
    script: 'echo one two | read a b; echo "[$a]"; echo "1 2 3" | (read a b; echo "$a+$b")',
    all: ['[]\n1+2 3\n', '', 0],
  },
  {
    script:
      'read -r a b <<< "one two three"; echo "$a-$b"; read -a arr <<< "x y z"; echo ${arr[1]} ${#arr[@]}; read -n 2 q <<< abcdef; echo $q; read -d : w <<< "aa:bb"; echo $w',
    bash: ['one-two three\ny 3\nab\naa\n', '', 0],
  },
  {
    script:
      "mapfile -t l < <(printf 'a\\nb\\nc\\n'); echo ${#l[@]} ${l[1]}; mapfile -n 1 q <<< $'x\\ny'; echo \"${q[0]}\"",
    bash: ['3 b\nx\n\n', '', 0],
  },
  {
    script: 'echo a > f; echo b >> f; wc -l < f; { cat; echo end; } < f; while read x; do echo "r$x"; done < f',
    bash: ['2\na\nb\nend\nra\nrb\n', '', 0],
  },
]);
