import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../machinery/client.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { badRequest } from '../../../machinery/meta/status.js';
import { makeCatalog } from '../../cri/images/catalog.js';
import type { Image, LoopTools } from '../../cri/image.js';
import { container, pod, process, readerOf } from '../testing.js';
import { inClusterSources, runControlLoop, runToCompletion, serviceAccountOf } from './in-cluster.js';

const api = {} as Client;
const tools: LoopTools = { now: 0, event: () => undefined };
const refuse = (): never => {
  throw badRequest('no');
};
const crash = (): never => {
  throw new TypeError('a bug');
};

test('programs write as their pod’s service account', () => {
  expect(serviceAccountOf(pod({ serviceAccountName: 'robot' }))).toBe('system:serviceaccount:shop:robot');
});

test.each([
  ['no writes', {}, true],
  ['writes that are accepted', { acts: () => undefined }, true],
  ['writes that are refused', { acts: refuse }, false],
])('a program that ends, %s', (_case, own, expected) => {
  expect(runToCompletion(process(own), api)).toBe(expected);
});

test.each([
  ['all is well', { tends: () => true }, true],
  ['not yet', { tends: () => false }, false],
  ['refused', { tends: refuse }, false],
])('a control loop: %s', (_case, own, expected) => {
  expect(runControlLoop(process(own), api, tools)).toBe(expected);
});

test('other errors are our own', () => {
  expect(() => runToCompletion(process({ acts: crash }), api)).toThrow('a bug');
});

describe('what wakes operators', () => {
  const image = (name: string, tends: boolean): Image => ({
    repositories: [`docker.io/library/${name}`],
    tags: /./,
    layers: [],
    config: {},
    tends,
    start: () => process(),
  });
  const operator = image('operator', true);
  const sources = inClusterSources(
    makeCatalog([operator, image('nginx', false)], operator, { isPublished: () => true }),
  );
  const read = readerOf(
    pod({ containers: [container('c', { image: 'operator:1' })] }, {}, { name: 'bound' }),
    pod({ containers: [container('c', { image: 'operator:1' })], nodeName: undefined }, {}, { name: 'unbound' }),
    pod({}, {}, { name: 'web' }),
  );

  test('their pods’ keys, of those that are bound', () => {
    expect([...sources[0]!.keys!({ metadata: {} } as KubeObject, read, undefined)]).toEqual([
      { namespace: 'shop', name: 'bound' },
    ]);
  });

  test('webhook configurations, CRDs whose conversion webhook changed, Ingresses, and addresses of Services', () => {
    expect(sources.slice(0, 5).map((s) => s.kind.kind)).toEqual([
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
      'CustomResourceDefinition',
      'Ingress',
      'Service',
    ]);
    const crd = (strategy: string): KubeObject =>
      ({ metadata: {}, spec: { conversion: { strategy } } }) as unknown as KubeObject;
    const [webhook, none] = [crd('Webhook'), crd('None')];
    expect([
      sources[2]!.when!(webhook, undefined),
      sources[2]!.when!(none, undefined),
      sources[2]!.when!(webhook, webhook),
    ]).toEqual([true, false, false]);
    const ingress = (spec: object): KubeObject => ({ metadata: {}, spec }) as unknown as KubeObject;
    const [rules, others] = [ingress({ rules: [] }), ingress({ rules: [{}] })];
    expect([sources[3]!.when!(rules, undefined), sources[3]!.when!(others, rules)]).toEqual([true, true]);
    expect(sources[3]!.when!({ ...rules }, rules)).toBe(false);
    const service = (loadBalancer: object): KubeObject =>
      ({ metadata: {}, status: { loadBalancer } }) as unknown as KubeObject;
    const [pending, reached] = [service({}), service({ ingress: [{ ip: '172.18.255.200' }] })];
    expect([sources[4]!.when!(reached, pending), sources[4]!.when!(reached, reached)]).toEqual([true, false]);
    expect(sources[4]!.when!(pending, undefined)).toBe(false);
  });
});
