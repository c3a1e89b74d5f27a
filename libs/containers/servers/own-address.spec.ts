import { expect, test } from '@jest/globals';
import { exit } from '../../engine/kernel/process/program.js';
import { FileTree } from '../../engine/kernel/files/tree.js';
import { imageOf, program, runCommand } from '../../engine/kernel/testing.js';
import { ownAddress } from './own-address.js';

const main = program<null>({
  start: () => null,
  step(_, sys) {
    sys.write(1, ownAddress(sys));
    return exit(0);
  },
});

test.each([
  ['a pod', '127.0.0.1\tlocalhost\n10.244.1.7\tweb\n', 'web', '10.244.1.7'],
  ['the network of a node', '127.0.0.1\tlocalhost\n172.18.0.3\tworker-1\n', 'worker-1', '172.18.0.3'],
  ['nobody says', '127.0.0.1\tlocalhost\n', 'web', '127.0.0.1'],
])('the own address: %s', (_name, content, hostname, expected) => {
  const hosts = { type: 'file', mode: 0o644, user: 0, group: 0, modified: 0, content } as const;
  const root = new FileTree('root', imageOf({ main }, { '/etc/hosts': hosts }));
  expect(runCommand({ main }, ['main'], { root, hostname }).stdout).toBe(expected);
});
