import { testScripts } from '../../testing.js';

testScripts('jobs', [
  {
    script: 'jobs -z',
    dash: ['', 'sh: 1: jobs: Illegal option -z\n', 2],
    ash: ['', 'sh: jobs: line 0: illegal option -z\n', 2],
    bash: [
      '',
      'bash: line 1: jobs: -z: invalid option\njobs: usage: jobs [-lnprs] [jobspec ...] or jobs -x command [args]\n',
      2,
    ],
  },
  { script: "trap 'echo usr' USR1; kill -USR1 $$; echo after", all: ['usr\nafter\n', '', 0] },
  { script: 'x=$(trap \'echo sub\' EXIT; echo in); echo "$x"', all: ['in\nsub\n', '', 0] },
  {
    script: "set -e; trap 'echo E' EXIT; cd /nope",
    dash: ['E\n', "sh: 1: cd: can't cd to /nope\n", 2],
    ash: ['E\n', "sh: cd: line 0: can't cd to /nope: No such file or directory\n", 2],
    bash: ['E\n', 'bash: line 1: cd: /nope: No such file or directory\n', 1],
  },
  { script: 'case abc in a*) echo 1 ;;& *c) echo 2 ;& x) echo 3 ;; *) echo 4; esac', bash: ['1\n2\n3\n', '', 0] },
  {
    script: "trap 'echo a' SIGTERM INT; trap -p; trap - TERM; trap -p; trap 'x' NOPE",
    bash: [
      "trap -- 'echo a' SIGINT\ntrap -- 'echo a' SIGTERM\ntrap -- 'echo a' SIGINT\n",
      'bash: line 1: trap: NOPE: invalid signal specification\n',
      1,
    ],
  },
  { script: "trap 'echo x' DEBUG; echo $?", dash: ['1\n', 'trap: DEBUG: bad trap\n', 0] },
  { script: "trap '' TERM; kill $$; echo survived", all: ['survived\n', '', 0] },
  { script: 'echo a; echo b & wait; echo c', all: ['a\nb\nc\n', '', 0] },
  {
    script: 'kill -FOO 1; echo $?',
    dash: ['2\n', 'sh: 1: kill: Illegal option -F\n', 0],
    ash: ['1\n', "sh: bad signal name 'FOO'\n", 0],
    bash: ['1\n', 'bash: line 1: kill: FOO: invalid signal specification\n', 0],
  },
]);
