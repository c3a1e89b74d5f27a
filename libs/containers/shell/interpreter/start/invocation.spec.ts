import { expect, test } from '@jest/globals';
import type { Flavour } from '../../state/state.js';
import { type Outcome, runShell } from '../../testing.js';

interface Row extends Partial<Record<Flavour, Outcome>> {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly script?: string;
  readonly all?: Outcome;
}

/** What dash 0.5.12, busybox 1.35 and bash 5.2 print. */
const ROWS: readonly Row[] = [
  { args: [], stdin: 'if true\nthen\necho y\nfi\necho $?\n', all: ['y\n0\n', '', 0] },
  { args: [], stdin: 'cat <<X\nhi\nX\necho b\n', all: ['hi\nb\n', '', 0] },
  { args: [], stdin: 'x() {\necho f\n}\nx; exit 4\necho no\n', all: ['f\n', '', 4] },
  { args: [], stdin: 'read x\nvalue\necho $x\n', bash: ['value\n', '', 0] },
  { args: [], stdin: 'echo a\ncat\nthe rest\n', bash: ['a\nthe rest\n', '', 0] },
  { args: ['-s', 'a', 'b'], stdin: 'echo $1 $2 $#\n', all: ['a b 2\n', '', 0] },
  { args: ['-e'], stdin: 'echo a\nfalse\necho b\n', all: ['a\n', '', 1] },
  { args: ['-x'], stdin: 'echo a\n', all: ['a\n', '+ echo a\n', 0] },
  { args: ['-c', 'echo $0 $1', 'n', 'arg'], all: ['n arg\n', '', 0] },
  { args: ['-ec', 'false; echo no'], all: ['', '', 1] },
  {
    args: ['-c'],
    dash: ['', 'sh: 0: -c requires an argument\n', 2],
    bash: ['', 'bash: -c: option requires an argument\n', 2],
  },
  {
    args: ['/nope'],
    dash: ['', 'sh: 0: cannot open /nope: No such file\n', 2],
    ash: ['', "sh: can't open '/nope': No such file or directory\n", 2],
    bash: ['', 'bash: /nope: No such file or directory\n', 127],
  },
  { args: ['-o', 'pipefail', '-c', 'false | true; echo $?'], ash: ['1\n', '', 0], bash: ['1\n', '', 0] },
  { args: ['-o', 'nope'], dash: ['', 'sh: 0: Illegal option -o nope\n', 2] },
  { args: ['--', 's.sh'], script: 'echo script $0\n', all: ['script s.sh\n', '', 0] },
  {
    args: ['s.sh', 'a b', 'c'],
    script: 'echo "$1" $#\nnope\necho $?\n',
    dash: ['a b 2\n127\n', 's.sh: 2: nope: not found\n', 0],
    ash: ['a b 2\n127\n', 's.sh: line 2: nope: not found\n', 0],
    bash: ['a b 2\n127\n', 's.sh: line 2: nope: command not found\n', 0],
  },
  {
    args: ['s.sh'],
    script: 'echo 1\necho $((1/0)); echo same\necho next\n',
    bash: ['1\nnext\n', 's.sh: line 2: 1/0: division by 0 (error token is "0")\n', 0],
  },
  {
    args: ['s.sh'],
    script: 'a=(1 2)\necho hi\n',
    dash: ['', 's.sh: 1: Syntax error: "(" unexpected\n', 2],
    ash: ['', 's.sh: line 1: syntax error: unexpected "("\n', 2],
    bash: ['hi\n', '', 0],
  },
  { args: ['-c', './s.sh x y'], script: 'echo no shebang $0 $1 $2', all: ['no shebang ./s.sh x y\n', '', 0] },
  { args: ['-nc', 'echo hi'], all: ['', '', 0] },
  {
    args: ['--version'],
    dash: ['', 'sh: 0: Illegal option --version\n', 2],
    bash: [
      'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n' +
        'Copyright (C) 2022 Free Software Foundation, Inc.\n' +
        'License GPLv3+: GNU GPL version 3 or later <http://gnu.org/licenses/gpl.html>\n\n' +
        'This is free software; you are free to change and redistribute it.\n' +
        'There is NO WARRANTY, to the extent permitted by law.\n',
      '',
      0,
    ],
  },
  { args: ['-c', 'read x; read y; echo "$x/$y"'], stdin: 'one\ntwo\n', all: ['one/two\n', '', 0] },
  { args: ['-c', 'trap "echo t" EXIT; kill -TERM $$; echo no'], bash: ['t\n', '', 143], dash: ['', '', 143] },
];

const rows = ROWS.flatMap((row) =>
  (['dash', 'ash', 'bash'] as const).flatMap((flavour) => {
    const outcome = row[flavour] ?? row.all;
    return outcome ? [{ ...row, flavour, outcome }] : [];
  }),
);

test.each(rows)('$flavour $args $stdin', ({ flavour, args, stdin, script, outcome }) => {
  const files: Record<string, string> = script === undefined ? {} : { '/work/s.sh': script };
  expect(runShell(flavour, args, { stdin, files })).toEqual(outcome);
  expect(runShell(flavour, args, { stdin, files, isSaved: true })).toEqual(outcome);
});
