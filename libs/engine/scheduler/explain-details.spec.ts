import { expect, test } from '@jest/globals';
import type { PodSpec } from '../api/core_v1.js';
import { explainScheduling } from './explain.js';
import { makeNode, makePod, readerOf } from './testing.js';

const inZone = (zone?: string) => ({ ...makeNode('b'), metadata: { name: 'b', labels: zone ? { zone } : {} } });
const port = { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80, hostPort: 80 }] }] };
const term = { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'zone' };
const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }] };

test.each<[string, Partial<PodSpec>, ReturnType<typeof inZone>, string]>([
  ['a selector of another value', { nodeSelector: { zone: 'a' } }, inZone('b'), 'wants zone=a, and it has zone=b'],
  ['a selector of no value', { nodeSelector: { zone: 'a' } }, inZone(), 'wants zone=a, and it has no label zone'],
  [
    'an affinity',
    { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } } as never,
    inZone('b'),
    'its affinity wants zone In [a], it has zone=b',
  ],
  [
    'an affinity to pods',
    { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } } as never,
    inZone('b'),
    'it must be with pods of app=web in one zone',
  ],
  ['a host port', port as never, inZone(), 'port 80 is taken by pod/default/other'],
])('%s', (_, spec, node, expected) => {
  const other = makePod(port as never, {}, 'b');
  const named = { ...other, metadata: { ...other.metadata, namespace: 'default', name: 'other' } };
  const { nodes } = explainScheduling(makePod(spec), readerOf([node as never, named]));
  expect(nodes[0]!.verdicts.join()).toContain(expected);
});
