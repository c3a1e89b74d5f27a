import { testScripts } from '../../testing.js';

testScripts('lists', [
  {
    script: 'foo',
    dash: ['', 'sh: 1: foo: not found\n', 127],
    ash: ['', 'sh: foo: not found\n', 127],
    bash: ['', 'bash: line 1: foo: command not found\n', 127],
  },
  {
    script: '((1+1))',
    dash: ['', 'sh: 1: 1+1: not found\n', 127],
    ash: ['', 'sh: 1+1: not found\n', 127],
    bash: ['', '', 0],
  },
  { script: 'echo a | cat | tr a b', all: ['b\n', '', 0] },
  { script: 'echo a \\\nb', all: ['a b\n', '', 0] },
  {
    script: 'foo bar',
    dash: ['', 'sh: 1: foo: not found\n', 127],
    ash: ['', 'sh: foo: not found\n', 127],
    bash: ['', 'bash: line 1: foo: command not found\n', 127],
  },
]);
