import { expect, test } from '@jest/globals';
import type { PersistentVolume, Volume } from '../../../api/core_v1.js';
import type { FileChange } from '../../../kinds/terrarium/filechange/kind.js';
import { stateOf } from '../../cri/testing.js';
import { pod } from '../testing.js';
import { podsThatSee } from './sharers.js';

const CLAIM: Volume = { name: 'v', persistentVolumeClaim: { claimName: 'c' } };
const HOST_PATH: Volume = { name: 'v', hostPath: { path: '/srv' } };
const PODS: Readonly<Record<string, { volume?: Volume; nodeName?: string }>> = {
  claims: { volume: CLAIM, nodeName: 'n2' },
  mounts: { volume: HOST_PATH, nodeName: 'n1' },
  elsewhere: { volume: HOST_PATH, nodeName: 'n2' },
  without: { nodeName: 'n1' },
};

const CLAIMED: PersistentVolume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv' },
  spec: { claimRef: { namespace: 'shop', name: 'c' } },
  status: {},
};
const pods = Object.entries(PODS).map(([name, { volume, nodeName }]) =>
  pod({ nodeName, ...(volume ? { volumes: [volume] } : {}) }, { phase: 'Running' }, { name, uid: name }),
);
const state = stateOf(CLAIMED, ...pods);

test.each<[string, string, string[]]>([
  ['node/n1', 'i/srv/x', ['mounts']],
  ['node/n1', 'ilog:/var/log/x', []],
  ['node/n3', 'i/srv/x', []],
  ['volume/pv/u', 'i#1', ['claims']],
  ['volume/other/u', 'i#1', []],
  ['nfs/server/path', 'i#1', []],
])('a change of %s, row %s, is seen by %j', (tree, id, expected) => {
  const change = { tree, row: { id } } as FileChange;
  expect(podsThatSee(change, state).map(({ name }) => name)).toEqual(expected);
});
