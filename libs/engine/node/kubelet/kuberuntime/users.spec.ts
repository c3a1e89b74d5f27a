import { expect, test } from '@jest/globals';
import type { PodSecurityContext, SecurityContext } from '../../../api/core_v1.js';
import type { FileNode } from '../../../kernel/files/file.js';
import { container, pod } from '../testing.js';
import { findProcessUser } from './users.js';

const file = (content: string): FileNode => ({ type: 'file', mode: 0o644, user: 0, group: 0, modified: 0, content });
const FILES = {
  '/etc/passwd': file('root:x:0:0:root:/root:/bin/sh\nnginx:x:101:101::/:/bin/false\nbob:x:1000:1000::/:/bin/sh\n'),
  '/etc/group': file('root:x:0:\nwheel:x:10:root,bob\nvideo:x:44:bob\nnginx:x:101:\n'),
};

test.each<[string, SecurityContext, PodSecurityContext, string | undefined, [number, number, number[]]]>([
  ['root', {}, {}, undefined, [0, 0, [10]]],
  ['the image’s user by name', {}, {}, 'nginx', [101, 101, []]],
  ['the image’s user and group', {}, {}, 'bob:video', [1000, 44, [10]]],
  ['the image’s number', {}, {}, '65532', [65532, 0, []]],
  ['the image’s numbers', {}, {}, '65532:65533', [65532, 65533, []]],
  [
    'the pod’s',
    {},
    { runAsUser: 1000, runAsGroup: 3000, supplementalGroups: [4000] },
    'nginx',
    [1000, 3000, [10, 44, 4000]],
  ],
  [
    'the container’s own',
    { runAsUser: 2000, runAsGroup: 5 },
    { runAsUser: 1000, fsGroup: 2000 },
    undefined,
    [2000, 5, [2000]],
  ],
  ['a user that the image does not know: group 0', { runAsUser: 7 }, {}, 'nginx', [7, 0, []]],
  ['Strict', { runAsUser: 1000 }, { supplementalGroupsPolicy: 'Strict', fsGroup: 9 }, undefined, [1000, 1000, [9]]],
])('a container runs as %s', (_case, own, shared, image, [user, group, groups]) => {
  const found = findProcessUser(
    pod({ securityContext: shared }),
    container('c', { securityContext: own }),
    image,
    FILES,
  );
  expect(found).toEqual({ user, group, groups });
});

test('a name that the image does not have is no user', () =>
  expect(findProcessUser(pod(), container(), 'nobody', FILES)).toBeUndefined());
