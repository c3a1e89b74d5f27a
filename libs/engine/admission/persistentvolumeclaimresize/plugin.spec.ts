import { expect, test } from '@jest/globals';
import type { PersistentVolumeClaim } from '../../api/core_v1.js';
import { kind as Claims } from '../../kinds/core/persistentvolumeclaim/kind.js';
import { kind as StorageClasses } from '../../kinds/storage/storageclass/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const CLASSES = [
  objectOf(StorageClasses, { metadata: { name: 'growing' }, allowVolumeExpansion: true }),
  objectOf(StorageClasses, { metadata: { name: 'fixed' }, allowVolumeExpansion: false }),
  objectOf(StorageClasses, { metadata: { name: 'silent' } }),
];
const claim = (storage: string, storageClassName: string, phase = 'Bound', annotations = {}): PersistentVolumeClaim =>
  objectOf(Claims, {
    metadata: { annotations },
    spec: { storageClassName, resources: { requests: { storage } } },
    status: { phase },
  });
const UNBOUND = 'persistentvolumeclaims "a" is forbidden: Only bound persistent volume claims can be expanded';
const FIXED =
  'persistentvolumeclaims "a" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
const OLD_WAY = { 'volume.beta.kubernetes.io/storage-class': 'growing' };

test.each<[string, PersistentVolumeClaim, PersistentVolumeClaim, string | undefined]>([
  ['that its class allows', claim('1Gi', 'growing'), claim('2Gi', 'growing'), undefined],
  ['of a class by the annotation', claim('1Gi', '', 'Bound', OLD_WAY), claim('2Gi', '', 'Bound', OLD_WAY), undefined],
  ['of an unbound claim', claim('1Gi', 'growing', 'Pending'), claim('2Gi', 'growing', 'Pending'), UNBOUND],
  ['that its class forbids', claim('1Gi', 'fixed'), claim('2Gi', 'fixed'), FIXED],
  ['that its class does not mention', claim('1Gi', 'silent'), claim('2Gi', 'silent'), FIXED],
  ['of a class that is not there', claim('1Gi', 'none'), claim('2Gi', 'none'), FIXED],
  ['without a class', claim('1Gi', ''), claim('2Gi', ''), FIXED],
  ['into another class', claim('1Gi', 'growing'), claim('2Gi', 'fixed'), FIXED],
  ['to nothing', claim('1Gi', 'fixed'), claim('1024Mi', 'fixed'), undefined],
])('growth %s', (_case, old, object, expected) =>
  expect(refusalOf(plugin, createRequest(Claims, { object, old }, CLASSES))).toBe(expected),
);
