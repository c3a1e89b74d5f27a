import { testScripts } from '../../testing.js';

testScripts('options', [
  {
    script: 'complete -o default -F __start_kubectl k; echo $?',
    dash: ['127\n', 'sh: 1: complete: not found\n', 0],
    ash: ['127\n', 'sh: complete: not found\n', 0],
    bash: ['0\n', '', 0],
  },
  {
    script: 'set -u; echo $x; echo y',
    dash: ['', 'sh: 1: x: parameter not set\n', 2],
    ash: ['', 'sh: x: parameter not set\n', 2],
    bash: ['', 'bash: line 1: x: unbound variable\n', 127],
  },
  {
    script: 'set -e; false; echo no',
    dash: ['', '', 1],
    ash: ['', '', 1],
    bash: ['', '', 1],
  },
  { script: 'set -e; x=$(false); echo never', all: ['', '', 1] },
  {
    script: 'set -e; x=$(false; echo on); echo "$x"',
    dash: ['', '', 1],
    ash: ['', '', 1],
    bash: ['on\n', '', 0],
  },
  { script: 'set -e; shopt -s inherit_errexit; x=$(false; echo on); echo "$x"', bash: ['', '', 1] },
  { script: 'set -e -o posix; x=$(false; echo on); echo "$x"', bash: ['', '', 1] },
  { script: 'set -e; x=$(case $- in *e*) echo e;; *) echo none; esac); echo "$x"', bash: ['none\n', '', 0] },
  {
    script: 'shift; echo $?',
    dash: ['', "sh: 1: shift: can't shift that many\n", 2],
    ash: ['1\n', '', 0],
    bash: ['1\n', '', 0],
  },
  {
    script: 'set -eu; echo ${1-none}; echo $1',
    dash: ['none\n', 'sh: 1: 1: parameter not set\n', 2],
    ash: ['none\n', 'sh: 1: parameter not set\n', 2],
    bash: ['none\n', 'bash: line 1: $1: unbound variable\n', 1],
  },
  { script: 'set -e; false | true; echo ok; ! true; echo ok2; true && false; echo no', all: ['ok\nok2\n', '', 1] },
  { script: 'set -- a b c; shift 2; echo $*', all: ['c\n', '', 0] },
  {
    script: 'set -C; echo a > f; echo b > f; echo $?; echo c >| f; cat f',
    dash: ['2\nc\n', 'sh: 1: cannot create f: File exists\n', 0],
    ash: ['1\nc\n', "sh: can't create f: File exists\n", 0],
    bash: ['1\nc\n', 'bash: line 1: f: cannot overwrite existing file\n', 0],
  },
  {
    script: 'getopts x; echo $?',
    dash: ['2\n', 'sh: 1: getopts: Usage: getopts optstring var [arg...]\n', 0],
    ash: ['2\n', 'sh: getopts: line 0: usage: getopts optstring var [arg]\n', 0],
    bash: ['2\n', 'getopts: usage: getopts optstring name [arg ...]\n', 0],
  },
  {
    script: 'shift x; echo $?',
    dash: ['', 'sh: 1: shift: Illegal number: x\n', 2],
    ash: ['', 'sh: shift: line 0: Illegal number: x\n', 2],
    bash: ['1\n', 'bash: line 1: shift: x: numeric argument required\n', 0],
  },
  {
    script: 'set -o pipefail; false | true | true; echo $? ${PIPESTATUS[@]}; true | false; echo "${PIPESTATUS[*]}"',
    bash: ['1 1 0 0\n0 1\n', '', 0],
  },
  {
    script: 'getopts ab: o -c; echo $? $o $OPTIND',
    dash: ['0 ? 2\n', 'Illegal option -c\n', 0],
    ash: ['0 ? 2\n', 'Illegal option -c\n', 0],
    bash: ['0 ? 2\n', 'bash: illegal option -- c\n', 0],
  },
]);
