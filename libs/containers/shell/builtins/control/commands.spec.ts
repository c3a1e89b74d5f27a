import { testScripts } from '../../testing.js';

testScripts('commands', [
  {
    script: "alias ll='echo aliased'\nll x",
    dash: ['aliased x\n', '', 0],
    ash: ['aliased x\n', '', 0],
    bash: ['', 'bash: line 2: ll: command not found\n', 127],
  },
  {
    script: 'command -V cd; command -V ls; command -V nope',
    bash: ['cd is a shell builtin\nls is /bin/ls\n', 'bash: line 1: command: nope: not found\n', 1],
  },
  {
    script: 'type ls cd if nope; echo $?',
    dash: ['ls is /bin/ls\ncd is a shell builtin\nif is a shell keyword\nnope: not found\n127\n', '', 0],
    bash: [
      'ls is /bin/ls\ncd is a shell builtin\nif is a shell keyword\n1\n',
      'bash: line 1: type: nope: not found\n',
      0,
    ],
  },
  {
    script: 'command -v ls cd if nope; echo $?',
    dash: ['/bin/ls\n0\n', '', 0],
    bash: ['/bin/ls\ncd\nif\n0\n', '', 0],
  },
]);
