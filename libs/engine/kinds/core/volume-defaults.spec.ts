import { expect, test } from '@jest/globals';
import { defaultSources } from './volume-defaults.js';

test.each<[object, object]>([
  [{ hostPath: { path: '/a' } }, { hostPath: { path: '/a', type: '' } }],
  [{ iscsi: {} }, { iscsi: { iscsiInterface: 'default' } }],
  [{ iscsi: { iscsiInterface: 'eth0' } }, { iscsi: { iscsiInterface: 'eth0' } }],
  [{ rbd: {} }, { rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }],
  [
    { azureDisk: { diskName: 'd' } },
    { azureDisk: { diskName: 'd', cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false } },
  ],
  [{ scaleIO: {} }, { scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' } }],
  [{ emptyDir: {} }, { emptyDir: {} }],
])('%j', (volume, expected) => {
  const draft = structuredClone(volume);
  defaultSources(draft);
  expect(draft).toEqual(expected);
});
