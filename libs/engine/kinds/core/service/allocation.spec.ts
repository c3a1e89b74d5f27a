import { describe, expect, test } from '@jest/globals';
import { allServiceUpdateErrors, createService, serviceErrors, updateService, type ServiceSpec } from './testing.js';

const ports = [{ port: 80 }];

describe('cluster IPs', () => {
  test('a ClusterIP of 10.96.0.0/12', () => {
    const { spec, status } = createService({ ports, selector: { app: 'web' } });
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
    const first = createService({ ports });
    expect(createService({ ports }, [first], 'b').spec.clusterIP).not.toBe(first.spec.clusterIP);
  });
  test('headless and external services get none', () => {
    expect(createService({ clusterIP: 'None', ports, selector: { a: 'b' } }).spec).toMatchObject({
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilyPolicy: 'SingleStack',
    });
    expect(createService({ type: 'ExternalName', externalName: 'example.com' }).spec.clusterIP).toBeUndefined();
  });
  test('a headless service without a selector is of both families', () =>
    expect(createService({ clusterIP: 'None', ports }).spec).toMatchObject({
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    }));
  test('both families when asked for', () => {
    const { spec } = createService({ ports, ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6', 'IPv4'] });
    expect(spec.clusterIPs![0]).toMatch(/^fd00:10:96::/);
    expect(spec.clusterIPs![1]).toMatch(/^10\./);
    expect(serviceErrors({ ports, ipFamilyPolicy: 'RequireDualStack' })).toEqual([]);
  });
  test('the family of the address that is asked for', () =>
    expect(createService({ ports, clusterIP: 'fd00:10:96::9' }).spec).toMatchObject({
      ipFamilies: ['IPv6'],
      clusterIPs: ['fd00:10:96::9'],
    }));
  test('a second address comes and goes with the policy', () => {
    const single = createService({ ports });
    const dual = updateService(single, { ...single.spec, ipFamilyPolicy: 'PreferDualStack' });
    expect(dual.spec.clusterIPs).toEqual([single.spec.clusterIP, expect.stringMatching(/^fd00:10:96::/)]);
    expect(updateService(dual, { ...dual.spec, ipFamilyPolicy: 'SingleStack' }).spec).toMatchObject({
      ipFamilies: ['IPv4'],
      clusterIPs: [single.spec.clusterIP],
    });
  });
});

describe('node ports', () => {
  test('of the range, one for both protocols of a port', () => {
    const { spec } = createService({
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
  test('the same for both protocols when the first is asked for', () =>
    expect(
      createService({
        type: 'NodePort',
        ports: [
          { port: 53, name: 'u', protocol: 'UDP', nodePort: 30053 },
          { port: 53, name: 't' },
        ],
      }).spec.ports!.map((p) => p.nodePort),
    ).toEqual([30053, 30053]));
  test.each<[string, ServiceSpec, boolean]>([
    ['a LoadBalancer', { type: 'LoadBalancer' }, true],
    ['a LoadBalancer that has none', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }, false],
    ['a ClusterIP', { type: 'ClusterIP' }, false],
  ])('%s', (_, spec, has) =>
    expect(createService({ ...spec, ports }).spec.ports![0]!.nodePort !== undefined).toBe(has),
  );
  test('a load balancer to local pods has one for its health checks', () => {
    const { spec } = createService({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports });
    expect(spec.healthCheckNodePort).toBeGreaterThanOrEqual(30000);
    expect(spec.healthCheckNodePort).not.toBe(spec.ports![0]!.nodePort);
  });
});

describe('what cannot be allocated', () => {
  const taken = createService({ ports, clusterIP: '10.96.0.1' }, [], 'kubernetes');
  const node = createService({ type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] }, [], 'node');
  test.each<[string, ServiceSpec, string[]]>([
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
    [
      'a node port in use',
      { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] },
      ['spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated'],
    ],
    [
      'that port of the other protocol',
      { type: 'NodePort', ports: [{ port: 80, nodePort: 30080, protocol: 'UDP' }] },
      [],
    ],
  ])('%s', (_, spec, errors) => expect(serviceErrors(spec, taken, node)).toEqual(errors));
});

// Upstream allocates nothing for an address that replaces another: that it may not change is the only error.
test.each<[string, ServiceSpec, ServiceSpec, string[]]>([
  [
    'an address that replaces another',
    { clusterIP: '10.96.0.1' },
    { clusterIP: '1.2.3.4' },
    ['spec.clusterIPs[0]: Invalid value: ["1.2.3.4"]: may not change once set'],
  ],
  [
    'an address after ExternalName',
    { type: 'ExternalName', externalName: 'example.com' },
    { type: 'ClusterIP', clusterIP: '1.2.3.4' },
    [
      'spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: the provided network does not match the current range',
    ],
  ],
  [
    'an address of a second family',
    { clusterIP: '10.96.0.1' },
    { clusterIPs: ['10.96.0.1', '2001:db8::1'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    [
      'spec.clusterIPs: Invalid value: ["10.96.0.1","2001:db8::1"]: failed to allocate IP 2001:db8::1: the provided network does not match the current range',
    ],
  ],
])('an update to %s', (_, before, after, errors) => {
  const old = createService({ ports, ...before });
  expect(allServiceUpdateErrors(old, { ...old.spec, ...after })).toEqual(errors);
});
