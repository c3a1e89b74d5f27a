import { expect, test } from '@jest/globals';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import { kind as Nodes } from '../../kinds/core/node/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as ResourceQuotas } from '../../kinds/core/resourcequota/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { createRequest, objectOf, refusalOf, type RequestFields } from '../testing.js';
import { plugin } from './plugin.js';

const quota = (hard: object, spec: object = {}): KubeObject =>
  objectOf(ResourceQuotas, { metadata: { name: 'quota' }, spec: { hard, ...spec } });
const pod = (name: string, requests?: object, status: object = {}): KubeObject =>
  objectOf(Pods, { metadata: { name }, spec: { containers: [{ name: 'app', resources: { requests } }] }, status });

test.each<[string, KubeObject, KubeObject[], string | undefined]>([
  ['within the quota', quota({ pods: '2' }), [pod('b')], undefined],
  [
    'beyond it',
    quota({ pods: '1' }),
    [pod('b')],
    'exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1',
  ],
  ['beside one that ended', quota({ pods: '1' }), [pod('b', {}, { phase: 'Succeeded' })], undefined],
  [
    'beyond two amounts',
    quota({ pods: '1', 'requests.cpu': '1', 'count/configmaps': '0' }),
    [pod('b', { cpu: '700m' })],
    'exceeded quota: quota, requested: pods=1,requests.cpu=400m, used: pods=1,requests.cpu=700m, limited: pods=1,requests.cpu=1',
  ],
  [
    'that does not state what the quota limits',
    quota({ 'limits.memory': '1Gi', 'limits.cpu': '1' }),
    [],
    'failed quota: quota: must specify limits.cpu for: app; limits.memory for: app',
  ],
  ['out of its scopes', quota({ pods: '0' }, { scopes: ['BestEffort'] }), [], undefined],
  ['of another namespace', { ...quota({ pods: '0' }), metadata: { name: 'quota', namespace: 'other' } }, [], undefined],
])('a pod %s', (_, limits, others, why) =>
  expect(refusalOf(plugin, createRequest(Pods, { object: pod('a', { cpu: '400m' }) }, [limits, ...others]))).toBe(
    why && `pods "a" is forbidden: ${why}`,
  ),
);

test('objects of any resource are counted', () => {
  const [object, other] = ['a', 'b'].map((name) => objectOf(ConfigMaps, { metadata: { name } }));
  expect(refusalOf(plugin, createRequest(ConfigMaps, { object }, [quota({ 'count/configmaps': '1' }), other!]))).toBe(
    'configmaps "a" is forbidden: exceeded quota: quota, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1',
  );
});

test.each<[string, RequestFields]>([
  ['an update', { old: pod('a') }],
  ['a subresource', { subresource: 'binding' }],
])('%s is admitted', (_, fields) =>
  expect(
    refusalOf(plugin, createRequest(Pods, { object: pod('a'), ...fields }, [quota({ pods: '0' })])),
  ).toBeUndefined(),
);
test('cluster-scoped objects have no quota', () =>
  expect(
    refusalOf(plugin, createRequest(Nodes, { object: objectOf(Nodes) }, [quota({ 'count/nodes': '0' })])),
  ).toBeUndefined());
