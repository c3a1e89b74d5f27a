import { expect, test } from '@jest/globals';
import { podAt, namespace } from '../../policy/testing.js';
import { ciliumWorld } from '../../policy/cilium/testing.js';
import type { Namespace } from '../../../api/core_v1.js';
import { endpointId, findIdentity, freeIdentity, securityLabels } from './identities.js';
import { identityLabels, withSource } from './labels.js';
import { CiliumIdentities } from './objects.js';

const labels = { app: 'web', 'app.kubernetes.io/name': 'web', 'pod-template-hash': 'x', 'kubernetes.io/hostname': 'y' };
const pod = podAt('shop/web', '10.0.1.2', labels);
const OWN = identityLabels(pod, namespace('shop') as Namespace, 'default');

test('labels that tell pods of one controller apart make no identity', () => {
  expect(withSource(OWN)).toEqual([
    'k8s:app=web',
    'k8s:app.kubernetes.io/name=web',
    'k8s:io.cilium.k8s.namespace.labels.kubernetes.io/metadata.name=shop',
    'k8s:io.cilium.k8s.policy.cluster=default',
    'k8s:io.cilium.k8s.policy.serviceaccount=default',
    'k8s:io.kubernetes.pod.namespace=shop',
    'k8s:pod=web',
  ]);
});

test('an identity is found by its labels, and another number is free for others', () => {
  const world = ciliumWorld([], []);
  const number = freeIdentity(world, OWN)!;
  expect(number).toBeGreaterThanOrEqual(256);
  expect(findIdentity(world, OWN)).toBeUndefined();
  world.put(
    world.resourceOf(CiliumIdentities as never),
    {
      ...{ apiVersion: 'cilium.io/v2', kind: 'CiliumIdentity', metadata: { name: String(number) } },
      'security-labels': securityLabels(OWN),
    } as never,
    'test',
    0,
  );
  expect(findIdentity(world, OWN)?.metadata.name).toBe(String(number));
  expect(freeIdentity(world, OWN)).toBe(number + 1);
});

test('an endpoint has a number', () => {
  expect(endpointId('a')).not.toBe(endpointId('b'));
  expect(endpointId('a')).toBeLessThan(4_096);
});
