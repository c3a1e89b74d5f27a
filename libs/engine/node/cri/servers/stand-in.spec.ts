import { expect, test } from '@jest/globals';
import type { FileNode } from '../../../kernel/files/file.js';
import { containerOfStandIn, withStandIn } from './stand-in.js';

const link = (target: string): FileNode => ({
  ...{ type: 'link', mode: 0o777, user: 0, group: 0, modified: 0 },
  target,
});
const FILES = { '/bin': link('usr/bin'), '/sbin': link('/usr/sbin') };

test.each([
  ['/bin/kindnetd', '/usr/bin/kindnetd'],
  ['/sbin/agent', '/usr/sbin/agent'],
  ['/opt/bin/flanneld', '/opt/bin/flanneld'],
  ['/coredns', '/coredns'],
  ['server', '/usr/local/bin/server'],
])('the program of %s stands at %s', (argv0, path) => {
  const node = withStandIn(FILES, argv0, 'main')[path];
  expect(containerOfStandIn(node?.program ?? '')).toBe('main');
});

test('other programs stand in for nobody', () => {
  expect(containerOfStandIn('sh')).toBeUndefined();
});
