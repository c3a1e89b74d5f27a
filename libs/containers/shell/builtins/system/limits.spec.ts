import { testScripts } from '../../testing.js';

testScripts('limits', [
  { script: 'umask 027; umask; umask u=rwx,g=,o=; umask', all: ['0027\n0077\n', '', 0] },
  { script: 'ulimit -n; ulimit -n 1024; ulimit -n; (ulimit -n)', all: ['1048576\n1024\n1024\n', '', 0] },
  { script: 'ulimit -c 0; ulimit -c; ulimit -f unlimited; ulimit', all: ['0\nunlimited\n', '', 0] },
  { script: 'ulimit -S -n 10; ulimit -n; ulimit -H -n; ulimit -S -n 20; ulimit -n', all: ['10\n1048576\n20\n', '', 0] },
  {
    script: 'ulimit -n 1024; ulimit -n 2048; echo $?; ulimit -n',
    dash: ['2\n1024\n', 'sh: 1: ulimit: error setting limit (Operation not permitted)\n', 0],
    ash: ['1\n1024\n', 'sh: error setting limit: Operation not permitted\n', 0],
    bash: ['1\n1024\n', 'bash: line 1: ulimit: open files: cannot modify limit: Operation not permitted\n', 0],
  },
  {
    script: 'ulimit -l unlimited',
    bash: ['', 'bash: line 1: ulimit: max locked memory: cannot modify limit: Operation not permitted\n', 1],
  },
  { script: 'ulimit -n many; echo $?', bash: ['1\n', 'bash: line 1: ulimit: many: invalid number\n', 0] },
  {
    script: 'ulimit -n 12; exec 11</dev/null && echo yes; (exec 12</dev/null); echo $?',
    bash: ['yes\n1\n', 'bash: line 1: 12: Bad file descriptor\n', 0],
  },
]);
