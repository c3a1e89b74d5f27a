import { testScripts } from '../testing.js';

testScripts('lists where nothing is split', [
  {
    script: 'set -- a "b c" d; v=$@; w=$*; echo "$v|$w"; set -- "" ""; v=$@; echo "[$v]"',
    all: ['a b c d|a b c d\n[ ]\n', '', 0],
  },
  {
    script: 'set -- a "b c" d; IFS=:; v=$*; w=$@; u="$*"; t="$@"; echo "$v|$w|$u|$t"; IFS=; v=$*; w=$@; echo "$v|$w"',
    dash: ['a:b c:d|a:b c:d|a:b c:d|a:b c:d\nab cd|ab cd\n', '', 0],
    ash: ['a:b c:d|a:b c:d|a:b c:d|a:b c:d\nab cd|ab cd\n', '', 0],
    bash: ['a:b c:d|a b c d|a:b c:d|a b c d\nab cd|a b c d\n', '', 0],
  },
  { script: 'set -- a b; case $@ in "a b") echo yes;; *) echo no;; esac', all: ['yes\n', '', 0] },
  {
    script: 'arr=(one "two b" three); v=${arr[@]//o/Z}; read -r a b <<< x${arr[*]}; echo "$v|$a|$b"',
    bash: ['Zne twZ b three|xone|two b three\n', '', 0],
  },
  {
    script: "x=$'a\\tb'; arr=($'a\\tb' 'c d'); declare -p x arr",
    bash: ["declare -- x=$'a\\tb'\ndeclare -a arr=([0]=$'a\\tb' [1]=\"c d\")\n", '', 0],
  },
]);

testScripts('parameter', [
  {
    script: 'x=abc; echo ${x:1:1} ${x/b/Q}',
    dash: ['', 'sh: 1: Bad substitution\n', 2],
    ash: ['b aQc\n', '', 0],
    bash: ['b aQc\n', '', 0],
  },
  {
    script: 'x="a b c"; y=($x); echo ${#y[@]}; z=("$x"); echo ${#z[@]}; IFS=, ; echo "${y[*]}"',
    bash: ['3\n1\na,b,c\n', '', 0],
  },
  {
    script:
      'x=abc; y=${x%?}; echo $y ${x#?} ${x%%[bc]*} ${x##*[ab]}; p=/a/b/c.tar.gz; echo ${p##*/} ${p%/*} ${p%.*} ${p%%.*}',
    bash: ['ab bc a c\nc.tar.gz /a/b /a/b/c.tar /a/b/c\n', '', 0],
  },
  {
    script: 'echo ${x:?}; echo y',
    dash: ['', 'sh: 1: x: parameter not set or null\n', 2],
    ash: ['', 'sh: x: parameter not set or null\n', 2],
    bash: ['', 'bash: line 1: x: parameter null or not set\n', 127],
  },
  { script: 'x=abcdef; echo ${x#a} ${x##*c} ${x%f} ${x%%c*} ${#x}', all: ['bcdef def abcde ab 6\n', '', 0] },
  {
    script: 'x=abc; echo ${x:0:1}${x:(-1)}; set -- a b c d; echo ${@:2:2} ${*:3} ${@: -1}; echo ${#}',
    bash: ['ac\nb c c d d\n4\n', '', 0],
  },
  {
    script: 'x=(a b c); for i in "${!x[@]}"; do echo "$i:${x[i]}"; done; echo "${x[@]/b/B}" "${x[@]^}" "${#x[1]}"',
    bash: ['0:a\n1:b\n2:c\na B c A B C 1\n', '', 0],
  },
  {
    script: 'echo ${x:?bad thing}; echo y',
    dash: ['', 'sh: 1: x: bad thing\n', 2],
    ash: ['', 'sh: x: bad thing\n', 2],
    bash: ['', 'bash: line 1: x: bad thing\n', 127],
  },
]);
