import { describe, expect, test } from '@jest/globals';
import type { Service } from '../../../api/core_v1.js';
import { AGE, row } from '../../testing.js';
import { kind } from './kind.js';
import { createService, serviceErrors, updateService } from './testing.js';

const ports = [{ port: 80 }];

describe('what is written', () => {
  test('a new Service has no load balancer yet', () =>
    expect(createService({ type: 'LoadBalancer', ports }).status).toEqual({ loadBalancer: {} }));
  test('the load balancer goes with the type', () => {
    const old: Service = {
      ...createService({ type: 'LoadBalancer', ports }),
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP' }] } },
    };
    expect(updateService(old, old.spec).status).toEqual(old.status);
    expect(updateService(old, { ...old.spec, type: 'NodePort' }).status).toEqual({ loadBalancer: {} });
  });
  test('addresses that are wrong as such are all that is said', () =>
    expect(serviceErrors({ clusterIP: 'x', type: 'Cluster' })).toEqual([
      'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]));
  test('what cannot be allocated is all that is said', () =>
    expect(serviceErrors({ clusterIP: '10.0.0.1' })).toEqual([
      'spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: the provided network does not match the current range',
    ]));
});

test('Services are found by address and node port', () => {
  const service = createService({ type: 'NodePort', clusterIP: '10.96.0.9', ports: [{ port: 80, nodePort: 30080 }] });
  expect(kind.indexes!['clusterIP']!(service)).toEqual(['10.96.0.9']);
  expect(kind.indexes!['nodePort']!(service)).toEqual(['30080/TCP']);
  expect(kind.indexes!['clusterIP']!(createService({ clusterIP: 'None', ports }))).toEqual([]);
});

test.each([
  ['spec.clusterIP', '10.96.0.9'],
  ['spec.type', 'ClusterIP'],
])('the field %s is selected by %j', (field, value) =>
  expect(kind.fieldSelectors![field]!(createService({ clusterIP: '10.96.0.9', ports }))).toBe(value),
);

describe('rows', () => {
  test('a NodePort', () =>
    expect(
      row(
        kind,
        createService({
          type: 'NodePort',
          clusterIP: '10.96.0.9',
          ports: [{ port: 80, nodePort: 30080 }],
          selector: { b: '2', a: '1' },
        }),
      ),
    ).toEqual({
      Name: 'web',
      Type: 'NodePort',
      'Cluster-IP': '10.96.0.9',
      'External-IP': '<none>',
      'Port(s)': '80:30080/TCP',
      Age: AGE,
      Selector: 'a=1,b=2',
    }));
  test('an ExternalName', () =>
    expect(row(kind, createService({ type: 'ExternalName', externalName: 'example.com' }))).toEqual({
      Name: 'web',
      Type: 'ExternalName',
      'Cluster-IP': '<none>',
      'External-IP': 'example.com',
      'Port(s)': '<none>',
      Age: AGE,
      Selector: '<none>',
    }));
  test.each<[string, object[], string[], string]>([
    ['none yet', [], [], '<pending>'],
    ['an address', [{ ip: '192.0.2.1' }], [], '192.0.2.1'],
    ['a long name, cut off', [{ hostname: 'lb-1.example.com.' }], [], 'lb-1.example....'],
    ['external addresses too', [{ ip: '192.0.2.1' }], ['192.0.2.9'], '192.0.2.1,192.0.2.9'],
  ])('a load balancer with %s', (_, ingress, externalIPs, text) => {
    const service = createService({
      type: 'LoadBalancer',
      clusterIP: '10.96.0.9',
      externalIPs,
      ports: [{ port: 80, nodePort: 30080 }],
    });
    expect(row(kind, { ...service, status: { loadBalancer: { ingress } } } as Service)['External-IP']).toBe(text);
  });
});
