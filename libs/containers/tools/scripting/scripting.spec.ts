import { expect, test } from '@jest/globals';
import { runLine } from '../testing/run-line.js';
import { perl } from './perl.js';
import { php } from './php.js';
import { python } from './python.js';

const run = (line: string) => runLine({ perl, php, python3: python }, line);

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
  [`python3 -c 'import time as t; t.sleep(1); print(1)'`, '1\n'],
  [`python3 -c 'from time import sleep as s, time; s(1); print(2)'`, '2\n'],
  [`python3 -c 'from time import *; sleep(1); print(3)'`, '3\n'],
  [`A=x python3 -c 'from os import environ as e; import os as o; print(e["A"], o.getenv("B", "y"))'`, 'x y\n'],
  [
    `python3 -c 'print("ab" * 3, 2 ** 10, 1_000, len("x" * 10**9), len([1, 2, "c",]))'`,
    'ababab 1024 1000 1000000000 3\n',
  ],
  [`python3 -c 'a = []\nfor i in range(3): a.append("x" * i)\nprint(len(a))'`, '3\n'],
  ['python3 --version', 'Python 3.11.2\n'],
  [`php -r 'echo 1;'`, '1'],
  [`php -r 'echo 1.5 . "a, b";'`, '1.5a, b'],
  [`A=x php -r 'echo "a\\n" . getenv("A"), PHP_EOL; sleep(1); print("b");'`, 'a\nx\nb'],
  [
    'PHP_VERSION=8.3.1 php -v',
    'PHP 8.3.1 (cli) (built: Oct 23 2025 20:52:31) (NTS)\nCopyright (c) The PHP Group\nZend Engine v4.3.1, Copyright (c) Zend Technologies\n',
  ],
  [`PHP_VERSION=8.3.1 php -r 'echo phpversion();'`, '8.3.1'],
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
  [
    `python3 -c 'import requests'`,
    'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nModuleNotFoundError: No module named \'requests\'\n',
    1,
  ],
  [
    `python3 -c 'time.sleep(1)'`,
    'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nNameError: name \'time\' is not defined\n',
    1,
  ],
  ['python3 /none.py', "python3: can't open file '/none.py': [Errno 2] No such file or directory\n", 2],
  [`php -r 'foo();'`, 'php: not simulated: foo()\n', 255],
  [`php -r 'exit(3);'`, '', 3],
  ['php none.php', 'Could not open input file: none.php\n', 1],
  [`perl -e 'foo()'`, 'not simulated: foo() at -e line 1.\n', 255],
  [`perl -e 'exit 3'`, '', 3],
  ['perl none.pl', 'Can\'t open perl script "none.pl": No such file or directory\n', 2],
])('%s fails', (line, stderr, code) => expect(run(line)).toEqual({ stdout: '', stderr, code }));

test.each(['a = " " * 100 * 1024 * 1024', 'b = bytearray(10**8)', 'l = []\nwhile True: l.append("x" * 10**6)'])(
  '%s is too much for a container of 64 MiB',
  (program) => {
    const fields = { memoryLimit: 64 * 1024 * 1024 };
    expect(runLine({ python3: python }, `exec python3 -c '${program}\nprint(1)'`, {}, fields).code).toBe(137);
  },
);
