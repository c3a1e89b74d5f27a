import { expect, test } from '@jest/globals';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const toleration = (key: string): object => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
const NOT_READY = toleration('node.kubernetes.io/not-ready');
const UNREACHABLE = toleration('node.kubernetes.io/unreachable');
const FOREVER = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
const GPU = { key: 'gpu', operator: 'Exists' };

test.each<[string, object[] | undefined, object[]]>([
  ['none', undefined, [NOT_READY, UNREACHABLE]],
  ['an empty list', [], [NOT_READY, UNREACHABLE]],
  ['another taint', [GPU], [GPU, NOT_READY, UNREACHABLE]],
  ['one of the two', [FOREVER], [FOREVER, UNREACHABLE]],
  ['every taint', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
  [
    'the taint with another effect',
    [{ ...FOREVER, effect: 'NoSchedule' }],
    [{ ...FOREVER, effect: 'NoSchedule' }, NOT_READY, UNREACHABLE],
  ],
])('a pod that tolerates %s', (_, tolerations, expected) => {
  const pod = objectOf(Pods, { spec: { tolerations } });
  expect(refusalOf(plugin, createRequest(Pods, { object: pod }))).toBeUndefined();
  expect(pod.spec.tolerations).toEqual(expected);
});

test('a subresource is left alone', () => {
  const pod = objectOf(Pods);
  refusalOf(plugin, createRequest(Pods, { object: pod, old: objectOf(Pods), subresource: 'status' }));
  expect(pod.spec).toEqual({});
});
