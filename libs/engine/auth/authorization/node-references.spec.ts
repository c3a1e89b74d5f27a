import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { AuthState } from '../testing.js';
import {
  configMapsOf,
  persistentVolumeClaimsOf,
  persistentVolumesOf,
  resourceClaimsOf,
  secretsOf,
  serviceAccountsOf,
  type References,
} from './node-references.js';

const state = new AuthState({ now: 0 });
state.add('persistentvolumeclaims', 'claim', 'shop', { spec: { volumeName: 'pv' } });
const POD = {
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    serviceAccountName: 'bot',
    imagePullSecrets: [{ name: 'registry' }],
    resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu-1' }, { name: 'nic' }],
    volumes: [
      { name: 'a', secret: { secretName: 'volume-secret' } },
      { name: 'b', configMap: { name: 'volume-map' } },
      {
        name: 'c',
        projected: { sources: [{ secret: { name: 'source-secret' } }, { configMap: { name: 'source-map' } }] },
      },
      { name: 'd', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'e', ephemeral: {} },
      { name: 'f', emptyDir: {} },
    ],
    initContainers: [
      { name: 'init', env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'env-secret', key: 'k' } } }] },
    ],
    containers: [
      {
        name: 'app',
        envFrom: [{ secretRef: { name: 'from-secret' } }, { configMapRef: { name: 'from-map' } }],
        env: [
          { name: 'B', value: 'x' },
          { name: 'C', valueFrom: { configMapKeyRef: { name: 'env-map', key: 'k' } } },
        ],
      },
    ],
  },
  status: { resourceClaimStatuses: [{ name: 'nic', resourceClaimName: 'web-nic-1' }] },
} as unknown as Pod;

test.each<[string, References, string[]]>([
  ['service accounts', serviceAccountsOf, ['bot']],
  ['secrets', secretsOf, ['registry', 'volume-secret', 'source-secret', 'env-secret', 'from-secret']],
  ['config maps', configMapsOf, ['volume-map', 'source-map', 'from-map', 'env-map']],
  ['claims', persistentVolumeClaimsOf, ['claim', 'web-e']],
  ['volumes', persistentVolumesOf, ['pv']],
  ['resource claims', resourceClaimsOf, ['web-nic-1', 'gpu-1']],
])('%s', (_, references, names) => expect(references(POD, state).filter((name) => name !== '')).toEqual(names));
