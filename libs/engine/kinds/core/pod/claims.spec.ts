import { expect, test } from '@jest/globals';
import type { PersistentVolumeClaim, Pod, Volume } from '../../../api/core_v1.js';
import { claimNameOf, claimNamesOf, whyNotOfPod } from './claims.js';

const VOLUMES: [Volume, string | undefined][] = [
  [{ name: 'data', persistentVolumeClaim: { claimName: 'claim' } }, 'claim'],
  [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } } as Volume, 'web-scratch'],
  [{ name: 'cache', emptyDir: {} }, undefined],
];
const pod = { metadata: { name: 'web', uid: 'u' }, spec: { volumes: VOLUMES.map(([volume]) => volume) } } as Pod;

test.each(VOLUMES)('%j has the claim %s', (volume, expected) => {
  expect(claimNameOf(pod, volume)).toBe(expected);
});

test('a pod has the claims of all its volumes', () => {
  expect(claimNamesOf(pod)).toEqual(['claim', 'web-scratch']);
});

test.each([
  [[{ uid: 'u', controller: true }], undefined],
  [[{ uid: 'u' }], 'PVC d/web-scratch was not created for pod d/web (pod is not owner)'],
  [[{ uid: 'other', controller: true }], 'PVC d/web-scratch was not created for pod d/web (pod is not owner)'],
  [[], 'PVC d/web-scratch was not created for pod d/web (pod is not owner)'],
])('a claim of the owners %j', (ownerReferences, expected) => {
  const claim = { metadata: { namespace: 'd', name: 'web-scratch', ownerReferences } } as PersistentVolumeClaim;
  expect(whyNotOfPod(claim, pod)).toBe(expected);
});
