import { testScripts } from '../../testing.js';

testScripts('directories', [
  {
    script: 'cd -z',
    dash: ['', 'sh: 1: cd: Illegal option -z\n', 2],
    ash: ['', 'sh: cd: line 0: illegal option -z\n', 2],
    bash: ['', 'bash: line 1: cd: -z: invalid option\ncd: usage: cd [-L|[-P [-e]] [-@]] [dir]\n', 2],
  },
  {
    script: 'cd a b; echo $?',
    dash: ['2\n', "sh: 1: cd: can't cd to a\n", 0],
    ash: ['2\n', "sh: cd: line 0: can't cd to a: No such file or directory\n", 0],
    bash: ['1\n', 'bash: line 1: cd: too many arguments\n', 0],
  },
  {
    script: 'mkdir -p d/e; touch d/e/f d/g; echo d/*; echo */*/f; echo d/[eg]; echo d/e/',
    all: ['d/e d/g\nd/e/f\nd/e d/g\nd/e/\n', '', 0],
  },
  {
    script: 'pushd /tmp; pushd /; dirs; popd; popd; pwd',
    bash: ['/tmp /work\n/ /tmp /work\n/ /tmp /work\n/tmp /work\n/work\n/work\n', '', 0],
  },
  { script: "cd ''; echo $?; pwd", all: ['0\n/work\n', '', 0] },
  { script: 'cd /; cd tmp; pwd; cd ..; pwd; cd /tmp/../bin; pwd; cd; pwd', all: ['/tmp\n/\n/bin\n/root\n', '', 0] },
]);
