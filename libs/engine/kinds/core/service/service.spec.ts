import { describe, expect, test } from '@jest/globals';
import type { Service } from '../../../api/core_v1.js';
import type { WriteContext } from '../../../machinery/client.js';
import { SeededRandom } from '../../../machinery/random.js';
import { kind } from './kind.js';

const NOW = Date.parse('2026-11-21T03:00:00Z');

/** A context in which these services exist. */
function contextWith(...services: Service[]): WriteContext {
  const byIndex = (_: unknown, index: string, value: string): Service[] =>
    services.filter((s) => kind.indexes![index]!(s).includes(value));
  return {
    now: NOW,
    random: new SeededRandom(1),
    user: { name: 'me', groups: [] },
    read: { byIndex },
  } as unknown as WriteContext;
}
function serviceOf(spec: Partial<Service['spec']>, context = contextWith(), name = 'web'): Service {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: structuredClone(spec),
    status: {},
  } as Service;
  kind.defaults!(service);
  kind.prepareForCreate!(service, context);
  return service;
}
function updated(old: Service, spec: Partial<Service['spec']>): Service {
  const service = { ...old, spec: structuredClone(spec) } as Service;
  kind.defaults!(service);
  kind.prepareForUpdate!(service, old, contextWith(old));
  return service;
}
const messages = (service: Service, context = contextWith()): string[] =>
  kind.validate!(service, context).map((e) => e.message);
const ports = [{ port: 80 }];

describe('allocation', () => {
  test('a ClusterIP of 10.96.0.0/12', () => {
    const { spec, status } = serviceOf({ ports, selector: { app: 'web' } });
    expect(spec).toMatchObject({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    });
    expect(spec.clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/);
    expect(spec.clusterIPs).toEqual([spec.clusterIP]);
    expect(status).toEqual({ loadBalancer: {} });
  });
  test('a taken address is not given twice', () => {
    const first = serviceOf({ ports });
    expect(serviceOf({ ports }, contextWith(first), 'b').spec.clusterIP).not.toBe(first.spec.clusterIP);
  });
  test('node ports, one for both protocols of a port', () => {
    const { spec } = serviceOf({
      type: 'NodePort',
      ports: [
        { port: 53, name: 'u', protocol: 'UDP' },
        { port: 53, name: 't' },
        { port: 80, name: 'h', nodePort: 30080 },
      ],
    });
    expect(spec.ports!.every((p) => p.nodePort! >= 30000 && p.nodePort! <= 32767)).toBe(true);
    expect(spec.ports![2]!.nodePort).toBe(30080);
    expect(spec.externalTrafficPolicy).toBe('Cluster');
  });
  test('headless and external services get none', () => {
    expect(serviceOf({ clusterIP: 'None', ports, selector: { a: 'b' } }).spec).toMatchObject({
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilyPolicy: 'SingleStack',
    });
    expect(serviceOf({ type: 'ExternalName', externalName: 'example.com' }).spec.clusterIP).toBeUndefined();
  });
  test('both families when asked for', () => {
    const { spec } = serviceOf({ ports, ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6', 'IPv4'] });
    expect(spec.clusterIPs![0]).toMatch(/^fd00:10:96::/);
    expect(spec.clusterIPs![1]).toMatch(/^10\./);
    expect(messages(serviceOf({ ports, ipFamilyPolicy: 'RequireDualStack' }))).toEqual([]);
  });
  test('a second address comes and goes with the policy', () => {
    const single = serviceOf({ ports });
    const dual = updated(single, { ...single.spec, ipFamilyPolicy: 'PreferDualStack' });
    expect(dual.spec.clusterIPs).toEqual([single.spec.clusterIP, expect.stringMatching(/^fd00:10:96::/)]);
    expect(updated(dual, { ...dual.spec, ipFamilyPolicy: 'SingleStack' }).spec).toMatchObject({
      ipFamilies: ['IPv4'],
      clusterIPs: [single.spec.clusterIP],
    });
  });
  test('an update that leaves them out keeps them, and a new type releases them', () => {
    const old = serviceOf({ type: 'NodePort', ports });
    expect(updated(old, { type: 'NodePort', ports }).spec).toEqual(old.spec);
    const inner = updated(old, { ...old.spec, type: 'ClusterIP' }).spec;
    expect(inner.clusterIP).toBe(old.spec.clusterIP);
    expect(inner.ports![0]!.nodePort).toBeUndefined();
    expect(inner.externalTrafficPolicy).toBeUndefined();
    expect(
      updated(old, { ...old.spec, type: 'ClusterIP', ports: old.spec.ports!.map((p) => ({ ...p, name: 'renamed' })) })
        .spec.ports![0]!.nodePort,
    ).toBeUndefined();
    expect(
      updated(old, { type: 'ExternalName', externalName: 'example.com', ports, clusterIP: old.spec.clusterIP }).spec
        .clusterIP,
    ).toBeUndefined();
  });
});

describe('validation', () => {
  const taken = serviceOf({ ports, clusterIP: '10.96.0.1' }, contextWith(), 'kubernetes');
  test.each<[string, Partial<Service['spec']>, string[]]>([
    [
      'an address in use',
      { ports, clusterIP: '10.96.0.1' },
      [
        'spec.clusterIPs: Invalid value: ["10.96.0.1"]: failed to allocate IP 10.96.0.1: provided IP is already allocated',
      ],
    ],
    [
      'an address elsewhere',
      { ports, clusterIP: '10.0.0.1' },
      [
        'spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: the provided network does not match the current range',
      ],
    ],
    [
      'a node port out of range',
      { type: 'NodePort', ports: [{ port: 80, nodePort: 8080 }] },
      [
        'spec.ports[0].nodePort: Invalid value: 8080: provided port is not in the valid range. The range of valid ports is 30000-32767',
      ],
    ],
    ['no ports', {}, ['spec.ports: Required value']],
    [
      'two ports without names',
      { ports: [{ port: 80 }, { port: 81 }] },
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    [
      'an unknown type',
      { type: 'Cluster', ports },
      [
        'spec.type: Unsupported value: "Cluster": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'a node port of a ClusterIP',
      { ports: [{ port: 80, nodePort: 30080 }] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    ['no external name', { type: 'ExternalName' }, ['spec.externalName: Required value']],
    [
      'a port of 0',
      { ports: [{ port: 0 }] },
      [
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
    ],
  ])('%s', (_, spec, expected) => expect(messages(serviceOf(spec), contextWith(taken))).toEqual(expected));

  test('a ClusterIP stays', () => {
    const old = serviceOf({ ports, clusterIP: '10.96.0.9' });
    const next = updated(old, { ports, clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.10'] });
    expect(kind.validateUpdate!(next, old, contextWith()).map((e) => e.message)).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.10"]: may not change once set',
    ]);
  });
});

test('rows', () => {
  const row = (service: Service): unknown[] =>
    kind.columns!.map((c) =>
      c.cell({ ...service, metadata: { ...service.metadata, creationTimestamp: '2026-11-21T02:00:00Z' } }, NOW),
    );
  expect(
    row(
      serviceOf({
        type: 'NodePort',
        clusterIP: '10.96.0.9',
        ports: [{ port: 80, nodePort: 30080 }],
        selector: { b: '2', a: '1' },
      }),
    ),
  ).toEqual(['web', 'NodePort', '10.96.0.9', '<none>', '80:30080/TCP', '60m', 'a=1,b=2']);
  expect(
    row(serviceOf({ type: 'LoadBalancer', clusterIP: '10.96.0.9', ports: [{ port: 80, nodePort: 30080 }] }))[3],
  ).toBe('<pending>');
  expect(row(serviceOf({ type: 'ExternalName', externalName: 'example.com' }))).toEqual([
    'web',
    'ExternalName',
    '<none>',
    'example.com',
    '<none>',
    '60m',
    '<none>',
  ]);
});

describe('addresses', () => {
  const own = { ports, clusterIP: '10.96.0.9' };
  test.each<[string, Partial<Service['spec']>, string[]]>([
    [
      'one that is none',
      { ports, clusterIP: 'x' },
      ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      'a list alone',
      { ports, clusterIPs: ['10.96.0.9'] },
      ['spec.clusterIPs: Invalid value: ["10.96.0.9"]: must be empty when `clusterIP` is not specified'],
    ],
    [
      'two of one family',
      { ...own, clusterIPs: ['10.96.0.9', '10.96.0.8'] },
      ['spec.clusterIPs: Invalid value: ["10.96.0.9","10.96.0.8"]: may specify no more than one IP for each IP family'],
    ],
    [
      'another family',
      { ...own, ipFamilies: ['IPv6'] },
      ['spec.clusterIPs[0]: Invalid value: "10.96.0.9": expected an IPv6 value as indicated by `ipFamilies[0]`'],
    ],
    ['a family twice', { ports, ipFamilies: ['IPv4', 'IPv4'] }, ['spec.ipFamilies[1]: Duplicate value: "IPv4"']],
    [
      'external loopback',
      { ports, externalIPs: ['127.0.0.1'] },
      ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
  ])('%s', (_, spec, expected) => expect(messages(serviceOf(spec))).toEqual(expected));

  test('the address stays', () => {
    const old = serviceOf(own);
    const next = updated(old, { ...old.spec, clusterIP: '10.96.0.10' });
    expect(kind.validateUpdate!(next, old, contextWith(old)).map((e) => e.message)).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.10"]: may not change once set',
    ]);
  });
  test('an update keeps node ports by the names of the ports', () => {
    const old = serviceOf({
      type: 'NodePort',
      ports: [
        { port: 80, name: 'a', nodePort: 30100 },
        { port: 81, name: 'b', nodePort: 30101 },
      ],
    });
    const next = updated(old, {
      ...old.spec,
      ports: [
        { port: 8080, name: 'a' },
        { port: 81, name: 'c', nodePort: 30101 },
      ],
    });
    expect(next.spec.ports!.map((p) => p.nodePort)).toEqual([30100, 30101]);
  });
});

test.each<[string, Partial<Service['spec']>, object, string[]]>([
  [
    'no load balancer',
    {},
    { ip: '1.2.3.4', ipMode: 'VIP' },
    ["status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
  ],
  ['an address', { type: 'LoadBalancer' }, { ip: '1.2.3.4', ipMode: 'VIP' }, []],
  [
    'no mode',
    { type: 'LoadBalancer' },
    { ip: '1.2.3.4' },
    ['status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set'],
  ],
  [
    'a mode of no address',
    { type: 'LoadBalancer' },
    { ipMode: 'VIP' },
    ['status.loadBalancer.ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set'],
  ],
  [
    'an address for a name',
    { type: 'LoadBalancer' },
    { hostname: '1.2.3.4' },
    ['status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
  ],
])('a status with %s', (_, spec, ingress, expected) => {
  const service = serviceOf({ ports, ...spec });
  const next = { ...service, status: { loadBalancer: { ingress: [ingress] } } } as Service;
  expect(kind.validateStatusUpdate!(next, service, contextWith()).map((e) => e.message)).toEqual(expected);
});
