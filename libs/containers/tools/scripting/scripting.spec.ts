import { expect, test } from '@jest/globals';
import { runLine } from '../testing/run-line.js';
import { perl } from './perl.js';
import { python } from './python.js';

const run = (line: string) => runLine({ perl, python3: python }, line);

test.each([
  [`python3 -c 'print("a; b")'`, 'a; b\n'],
  [`python3 -c 'import time; time.sleep(2); print(3)'`, '3\n'],
  [`A=x python3 -c "import os; print(os.environ['A'])"`, 'x\n'],
  [
    `I=3 python3 -c 'import os\nif int(os.environ.get("I")) % 2 == 0:\n  print("even")\nelse:\n  print("odd", 1 + 2)'`,
    'odd 3\n',
  ],
  [
    `python3 -c 'n = 0\nwhile n < 3:\n  n += 1\n  if n == 2: continue\n  print(f"n={n}")\nprint("end")'`,
    'n=1\nn=3\nend\n',
  ],
  [
    `python3 -c 'for i in range(2):\n  for k in range(1, 3):\n    print(i, k, end=" ")\nprint(not (1 > 2) and "yes")'`,
    '0 1 0 2 1 1 1 2 yes\n',
  ],
  ['python3 --version', 'Python 3.11.2\n'],
  [`perl -e 'print "a\\n"'`, 'a\n'],
  [`perl -wle 'print "a"'`, 'a\n'],
  [`perl -Mbignum=bpi -wle 'print bpi(20)'`, '3.1415926535897932385\n'],
])('%s', (line, stdout) => expect(run(line)).toEqual({ stdout, stderr: '', code: 0 }));

test.each([
  [
    `python3 -c 'foo()'`,
    'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nNotImplementedError: not simulated: foo()\n',
    1,
  ],
  [`python3 -c 'import sys\nif True: sys.exit(42)'`, '', 42],
  [
    `python3 -c 'import os\nos.environ["NONE"] == "2"'`,
    'Traceback (most recent call last):\n  File "<string>", line 2, in <module>\nNotImplementedError: not simulated: os.environ["NONE"] == "2"\n',
    1,
  ],
  [
    `python3 -c 'import os\nn = int(os.environ["NONE"])'`,
    'Traceback (most recent call last):\n  File "<string>", line 2, in <module>\nKeyError: \'NONE\'\n',
    1,
  ],
  ['python3 /none.py', "python3: can't open file '/none.py': [Errno 2] No such file or directory\n", 2],
  [`perl -e 'foo()'`, 'not simulated: foo() at -e line 1.\n', 255],
  [`perl -e 'exit 3'`, '', 3],
  ['perl none.pl', 'Can\'t open perl script "none.pl": No such file or directory\n', 2],
])('%s fails', (line, stderr, code) => expect(run(line)).toEqual({ stdout: '', stderr, code }));
