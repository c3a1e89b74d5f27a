import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import { FileChanges } from '../../kinds/index.js';
import { clientOf, stateOf } from '../cri/testing.js';
import { volumeFiles } from './volume-files.js';

const change = (name: string, tree: string, owner: string): KubeObject =>
  ({
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'FileChange',
    metadata: { name },
    tree,
    owner,
    row: { id: name },
  }) as never;
const volume = (uid: string): KubeObject =>
  ({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'disk', uid }, spec: {} }) as never;
const rows = [
  change('a', 'volume/disk/u1', 'volume/disk'),
  change('b', 'volume/disk/u2', 'volume/disk'),
  change('c', 'volume/other/u3', 'volume/other'),
];

test.each<[string, KubeObject[], string[]]>([
  ['is there', [volume('u1')], ['a', 'c']],
  ['is gone', [], ['c']],
  ['was made anew', [volume('u9')], ['c']],
])('files of a volume that %s', (_case, volumes, left) => {
  const state = stateOf(...rows, ...volumes);
  volumeFiles.reconcile({ client: clientOf(state) } as never, { namespace: '', name: 'disk' }, undefined);
  expect(state.list(FileChanges).map(({ metadata }) => metadata.name)).toEqual(left);
});
