import { expect, test } from '@jest/globals';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { TestMachine } from './machine.js';

export { START, NOW } from './file-tree.js';
export { type Outcome, TestMachine } from './machine.js';
/** What specs of tools work on, in /work. */
export const FILES: Readonly<Record<string, Bytes>> = {
  fruits: 'banana\napple\ncherry\napple\nBanana\n\ndate\n',
  numbers: '10\n9\n2.5\n-3\n100\n1K\n2M\n512\n',
  table: 'web-1 Running 3 10m\nweb-2 Pending 0 5m\ndb-0 Running 12 2d\ncache CrashLoopBackOff 120 1h\n',
  passwd:
    'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nnginx:x:101:101:nginx user:/nonexistent:/bin/false\n',
  log: '2026-01-02 ERROR disk full\n2026-01-02 INFO started\n2026-01-03 WARN slow query\n2026-01-03 error again\n2026-01-04 INFO done',
  tabs: 'a\tb\tc\n1\t\t3\n  x\ty  \n',
  bin: '\x00\x01abc\xff\xfe\n\x7f\x1b[0m\n',
  empty: '',
  long: 'the quick brown fox jumps over the lazy dog and runs away from the very long sentence which goes on and on until it ends\nshort\n',
  'dir/one': 'one\n',
  'dir/two.txt': 'two two\n',
  'dir/sub/three.txt': 'three\nTHREE\n',
  'dir/.hidden': 'h\n',
  'a.json':
    '{"kind":"Pod","metadata":{"name":"web","labels":{"app":"x","tier":"front"}},"spec":{"containers":[{"name":"a","image":"nginx:1.25"},{"name":"b","image":"redis"}]},"n":1.50,"z":null,"t":true}\n',
  'list.json': '[{"name":"b","age":3},{"name":"a","age":10},{"name":"c","age":3}]\n',
};

/** A command line, what it prints, and what it says and exits with when it fails. */
export type Case = readonly [line: string, stdout: Bytes, failure?: { readonly stderr: Bytes; readonly code: number }];

/** Runs command lines on a fresh machine with FILES in /work. Commands are the programs' names after the colon. */
export function testCases(programs: Readonly<Record<string, Program>>, cases: readonly Case[], flavour = 'gnu'): void {
  const chosen = Object.entries(programs).filter(([name]) => name.startsWith('busybox:') === (flavour === 'busybox'));
  const named = Object.fromEntries(chosen.map(([name, program]) => [name.slice(name.indexOf(':') + 1), program]));
  const files = Object.fromEntries(Object.entries(FILES).map(([path, content]) => [`/work/${path}`, content]));
  test.each(cases)('%s', (line, stdout, failure = { stderr: '', code: 0 }) => {
    expect(new TestMachine(named, files).run(line)).toEqual({ stdout, ...failure });
  });
}
