import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['ls', 'a.json\nbin\ndir\nempty\nfruits\nlist.json\nlog\nlong\nnumbers\npasswd\ntable\ntabs\n'],
  ['ls -1 dir', 'one\nsub\ntwo.txt\n'],
  ['ls -a dir', '.\n..\n.hidden\none\nsub\ntwo.txt\n'],
  ['ls -A dir', '.hidden\none\nsub\ntwo.txt\n'],
  ['ls -R dir', 'dir:\none\nsub\ntwo.txt\n\ndir/sub:\nthree.txt\n'],
  ['ls -r', 'tabs\ntable\npasswd\nnumbers\nlong\nlog\nlist.json\nfruits\nempty\ndir\nbin\na.json\n'],
  ['ls -S', 'dir\na.json\npasswd\nlong\nlog\ntable\nlist.json\nfruits\nnumbers\ntabs\nbin\nempty\n'],
  ['ls -F', 'a.json\nbin\ndir/\nempty\nfruits\nlist.json\nlog\nlong\nnumbers\npasswd\ntable\ntabs\n'],
  ['ls -p dir', 'one\nsub/\ntwo.txt\n'],
  ['ls -d dir', 'dir\n'],
  ['ls -l fruits', '-rw-r--r-- 1 root root 39 Jan  2  2026 fruits\n'],
  ['ls -ln fruits numbers', '-rw-r--r-- 1 0 0 39 Jan  2  2026 fruits\n-rw-r--r-- 1 0 0 26 Jan  2  2026 numbers\n'],
  [
    'ls -lh fruits long',
    '-rw-r--r-- 1 root root  39 Jan  2  2026 fruits\n-rw-r--r-- 1 root root 127 Jan  2  2026 long\n',
  ],
  ['ls -lo fruits', '-rw-r--r-- 1 root 39 Jan  2  2026 fruits\n'],
  ['ls -lg fruits', '-rw-r--r-- 1 root 39 Jan  2  2026 fruits\n'],
  ['ls -l --time-style=long-iso fruits', '-rw-r--r-- 1 root root 39 2026-01-02 03:04 fruits\n'],
  ['ls -l --full-time fruits', '-rw-r--r-- 1 root root 39 2026-01-02 03:04:05.000000000 +0000 fruits\n'],
  ['ls nope', '', { stderr: "ls: cannot access 'nope': No such file or directory\n", code: 2 }],
  ['ls nope fruits', 'fruits\n', { stderr: "ls: cannot access 'nope': No such file or directory\n", code: 2 }],
  ['ls fruits dir', 'fruits\n\ndir:\none\nsub\ntwo.txt\n'],
  ['ls -m', 'a.json, bin, dir, empty, fruits, list.json, log, long, numbers, passwd, table,\ntabs\n'],
  ['ls -x', 'a.json\tbin  dir  empty  fruits  list.json  log  long  numbers\tpasswd\ttable\ntabs\n'],
  ['ls -C', 'a.json\tdir    fruits\t  log\tnumbers  table\nbin\tempty  list.json  long\tpasswd\t tabs\n'],
  ['ls -w 40 -C', 'a.json\tempty\t   log\t    passwd\nbin\tfruits\t   long     table\ndir\tlist.json  numbers  tabs\n'],
  ['ls -Q dir', '"one"\n"sub"\n"two.txt"\n'],
  ['ls -z', '', { stderr: "ls: invalid option -- 'z'\nTry 'ls --help' for more information.\n", code: 2 }],
  ['ls --color=always -d dir fruits', 'dir\nfruits\n'],
  ['ls -la /nonexistent/x', '', { stderr: "ls: cannot access '/nonexistent/x': No such file or directory\n", code: 2 }],
]);
