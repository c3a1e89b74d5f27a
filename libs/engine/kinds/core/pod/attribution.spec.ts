import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { attribution } from './attribution.js';
import { makePod, web } from './testing.js';

const token = { name: 'kube-api-access-abcde', projected: { sources: [] } };
const mount = { name: 'kube-api-access-abcde', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
const tolerations = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));
/** The pod as admission stores it: with account, token, tolerations and priority. */
const admit = (sent: Pod): Pod => ({
  ...sent,
  spec: {
    ...sent.spec,
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    serviceAccountName: 'default',
    serviceAccount: 'default',
    tolerations,
    volumes: [token],
    containers: sent.spec.containers.map((container) => ({ ...container, volumeMounts: [mount] })),
  },
});

describe('what the controller owns', () => {
  test('is all but what admission and the binding have added', () => {
    const sent = makePod({}, {}, { labels: { app: 'web' } });
    const stored = { ...admit(sent), spec: { ...admit(sent).spec, nodeName: 'n' } };
    expect(attribution.owned(stored, '')).toEqual({
      of: { metadata: { labels: { app: 'web' } }, spec: sent.spec },
    });
  });
  test.each<[string, Record<string, unknown>, (stored: Pod) => Pod, boolean]>([
    ['a pod that only admission has added to', {}, admit, true],
    ['a pod that was stored as it was sent', { tolerations: [{ key: 'a', operator: 'Exists' }] }, (pod) => pod, true],
    ['a pod whose author sent what admission would add', { tolerations }, admit, false],
    ['a pod that a webhook has changed', {}, (pod) => ({ ...pod, spec: { ...pod.spec, hostNetwork: true } }), false],
    ['a pod that a webhook has labelled', {}, (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: {} } }), false],
    [
      'a pod that a webhook has given a container',
      {},
      (pod) => ({ ...pod, spec: { ...pod.spec, containers: [...pod.spec.containers, web] } }),
      false,
    ],
  ])('%s', (_, spec, store, holds) => {
    const sent = makePod(spec);
    expect(attribution.holds(sent, store(sent))).toBe(holds);
  });
});

describe('what the kubelet owns of the status', () => {
  const SCHEDULED = { type: 'PodScheduled', status: 'True' };
  test('is all but the QoS class, the phase until it changes, and the first condition', () => {
    const owned = attribution.owned(
      makePod({}, { phase: 'Pending', qosClass: 'BestEffort', hostIP: '10.0.0.1' }),
      'status',
    );
    expect(owned.of).toEqual({ status: { hostIP: '10.0.0.1' } });
    expect(JSON.stringify(owned.except)).toContain('k:{\\"type\\":\\"PodScheduled\\"}');
    expect(attribution.owned(makePod({}, { phase: 'Running' }), 'status').of).toEqual({ status: { phase: 'Running' } });
  });
  test.each<[Pod['status'], string, boolean]>([
    [{ conditions: [SCHEDULED] }, 'kubelet', true],
    [{ conditions: [SCHEDULED] }, 'kubectl', false],
    [{ conditions: [SCHEDULED, { type: 'Ready', status: 'False' }] }, 'kubelet', false],
    [{}, 'kubelet', false],
  ])('of %j by %s: %s', (status, manager, holds) =>
    expect(attribution.holdsForStatus(makePod({}, status), manager)).toBe(holds),
  );
});
