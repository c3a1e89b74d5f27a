import { expect, test } from '@jest/globals';
import { createService, updateService } from './testing.js';

const ports = [{ port: 80 }];

test('an update that leaves them out keeps addresses and node ports, and a new type releases them', () => {
  const old = createService({ type: 'NodePort', ports });
  expect(updateService(old, { type: 'NodePort', ports }).spec).toEqual(old.spec);
  const inner = updateService(old, { ...old.spec, type: 'ClusterIP' }).spec;
  expect(inner.clusterIP).toBe(old.spec.clusterIP);
  expect(inner.ports![0]!.nodePort).toBeUndefined();
  expect(inner.externalTrafficPolicy).toBeUndefined();
  expect(
    updateService(old, {
      ...old.spec,
      type: 'ClusterIP',
      ports: old.spec.ports!.map((p) => ({ ...p, name: 'renamed' })),
    }).spec.ports![0]!.nodePort,
  ).toBeUndefined();
  expect(
    updateService(old, { type: 'ExternalName', externalName: 'example.com', ports, clusterIP: old.spec.clusterIP }).spec
      .clusterIP,
  ).toBeUndefined();
});

test('an update keeps node ports by the names of the ports', () => {
  const old = createService({
    type: 'NodePort',
    ports: [
      { port: 80, name: 'a', nodePort: 30100 },
      { port: 81, name: 'b', nodePort: 30101 },
    ],
  });
  const next = updateService(old, {
    ...old.spec,
    ports: [
      { port: 8080, name: 'a' },
      { port: 81, name: 'c', nodePort: 30101 },
    ],
  });
  expect(next.spec.ports!.map((p) => p.nodePort)).toEqual([30100, 30101]);
});

test('a new node port stays, though the type uses none: the validation refuses it', () => {
  const old = createService({ type: 'NodePort', ports });
  const next = updateService(old, { ...old.spec, type: 'ClusterIP', ports: [{ port: 80, nodePort: 30999 }] });
  expect(next.spec.ports![0]!.nodePort).toBe(30999);
});

test('what only load balancers have goes with the type', () => {
  const old = createService({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    loadBalancerClass: 'example.com/lb',
    ports,
  });
  const { spec } = updateService(old, { ...old.spec, type: 'ClusterIP' });
  expect([
    spec.allocateLoadBalancerNodePorts,
    spec.loadBalancerClass,
    spec.healthCheckNodePort,
    spec.externalTrafficPolicy,
  ]).toEqual([undefined, undefined, undefined, undefined]);
});

test('clusterIP alone, as older clients write it, becomes the list', () => {
  const old = createService({ ports, clusterIP: '10.96.0.9' });
  expect(updateService(old, { ...old.spec, clusterIP: '10.96.0.10' }).spec.clusterIPs).toEqual(['10.96.0.10']);
  expect(updateService(old, { ports, clusterIP: '10.96.0.9' }).spec.clusterIPs).toEqual(['10.96.0.9']);
});
