import { testScripts } from '../../testing.js';

testScripts('execute', [
  { script: 'ls /nope 2>/dev/null || echo failed', all: ['failed\n', '', 0] },
  {
    script: 'echo a >/nope/b; echo $?',
    dash: ['2\n', 'sh: 1: cannot create /nope/b: Directory nonexistent\n', 0],
    ash: ['1\n', "sh: can't create /nope/b: nonexistent directory\n", 0],
    bash: ['1\n', 'bash: line 1: /nope/b: No such file or directory\n', 0],
  },
  {
    script: '/etc/passwd',
    dash: ['', 'sh: 1: /etc/passwd: Permission denied\n', 126],
    ash: ['', 'sh: /etc/passwd: Permission denied\n', 126],
    bash: ['', 'bash: line 1: /etc/passwd: Permission denied\n', 126],
  },
  {
    script: "f() { cd /nope; nosuch; echo $BASH_SOURCE; eval 'local -q'; }; f; cd /nope",
    bash: [
      'environment\n',
      'environment: line 1: cd: /nope: No such file or directory\nenvironment: line 1: nosuch: command not found\nenvironment: line 1: local: -q: invalid option\nlocal: usage: local [option] name[=value] ...\nbash: line 1: cd: /nope: No such file or directory\n',
      1,
    ],
  },
  {
    script: "echo 'f() { cd /nope; }' >/tmp/lib.sh; . /tmp/lib.sh; f",
    bash: ['', '/tmp/lib.sh: line 1: cd: /nope: No such file or directory\n', 1],
  },
]);
