import { describe, expect, test } from '@jest/globals';
import type { Node } from '../../../api/core_v1.js';
import type { Client } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Context, Controller } from '../../../runtime/controller.js';
import { node, NOW, readerOf, STAMP } from '../testing.js';
import { addConditions, completeNode, nodeSchedulable, nodeStatus } from './node-status.js';
import { HEALTHY } from './setters.js';

/** Reconciles one node: its last written form, and the events. */
function reconcile(controller: Controller, of: Node): { written: Node[]; made: string[]; events: string[] } {
  const written: Node[] = [];
  const write = (_kind: unknown, next: Node): Node => (written.push(next), next);
  const made: string[] = [];
  const create = ({ kind }: Kind, next: KubeObject): KubeObject => (made.push(kind), next);
  const client = { ...readerOf(of), create, update: write, updateStatus: write } as unknown as Client;
  const events: string[] = [];
  const event: Context['event'] = (_object, type, reason, message) => void events.push(`${type} ${reason}: ${message}`);
  controller.reconcile({ now: NOW, client, event } as Context, { namespace: '', name: 'worker-1' }, undefined);
  return { written, made, events };
}

describe('a node that appears', () => {
  const { written, made, events } = reconcile(nodeStatus, node({}, { spec: {} }));

  test('is registered: it gets a machine and a range of pod addresses', () => {
    expect(written.map((n) => n.spec.podCIDR)).toEqual(['10.244.0.0/24', '10.244.0.0/24']);
    expect(written[1]!.status.nodeInfo!.kubeletVersion).toMatch(/^v1\.36\./);
  });
  test('has the conditions of a healthy node', () => {
    expect(written[1]!.status.conditions).toEqual(
      HEALTHY.map((c) => ({ ...c, lastHeartbeatTime: STAMP, lastTransitionTime: STAMP })),
    );
  });
  test('has a lease, and an object for its CSI drivers', () => {
    expect(made).toEqual(['Lease', 'CSINode']);
  });
  test('has the events of a kubelet that starts', () => {
    expect(events).toEqual([
      'Normal Starting: Starting kubelet.',
      'Normal NodeHasSufficientMemory: Node worker-1 status is now: NodeHasSufficientMemory',
      'Normal NodeHasNoDiskPressure: Node worker-1 status is now: NodeHasNoDiskPressure',
      'Normal NodeHasSufficientPID: Node worker-1 status is now: NodeHasSufficientPID',
      'Normal NodeAllocatableEnforced: Updated Node Allocatable limit across pods',
      'Normal NodeReady: Node worker-1 status is now: NodeReady',
    ]);
  });
});

test('a node that is registered and well is left alone', () => {
  expect(reconcile(nodeStatus, node({ conditions: [...HEALTHY] }))).toEqual({ written: [], made: [], events: [] });
});

test('conditions that a node has already stay, those of other components come last', () => {
  const ready = { type: 'Ready', status: 'Unknown' };
  const foreign = { type: 'NetworkUnavailable', status: 'False' };
  const conditions = addConditions([foreign, ready], NOW);
  expect(conditions.map((c) => c.type)).toEqual([...HEALTHY.map((c) => c.type), 'NetworkUnavailable']);
  expect(conditions[3]).toBe(ready);
});

test('what a user says of a node stands over what its machine would say', () => {
  const own = node(
    { capacity: { cpu: '2' } },
    { metadata: { name: 'n', labels: { 'kubernetes.io/arch': 'arm64' } }, spec: { podCIDR: '10.0.0.0/24' } },
  );
  expect(completeNode(own, [])).toMatchObject({
    metadata: { labels: { 'kubernetes.io/arch': 'arm64', 'kubernetes.io/hostname': 'n' } },
    spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] },
    status: { addresses: own.status.addresses, allocatable: { cpu: '2' }, capacity: { cpu: '2' } },
  });
});

test.each([
  [true, 'NodeNotSchedulable'],
  [undefined, 'NodeSchedulable'],
])('unschedulable: %s is the event %s', (unschedulable, reason) => {
  const { events } = reconcile(nodeSchedulable, node({}, { spec: { unschedulable } }));
  expect(events).toEqual([`Normal ${reason}: Node worker-1 status is now: ${reason}`]);
});

test.each([
  ['is added', { cpu: '4', 'example.com/dongle': '4' }, { cpu: '2' }, { cpu: '2', 'example.com/dongle': '4' }],
  ['is taken away', { cpu: '4' }, { cpu: '2', 'example.com/dongle': '4' }, { cpu: '2' }],
  ['is the node’s own', { cpu: '8' }, { cpu: '2' }, undefined],
])('a resource that %s', (_name, capacity, allocatable, expected) => {
  const of = node({ conditions: addConditions([], NOW), capacity, allocatable });
  const { written } = reconcile(nodeStatus, of);
  expect(written.map(({ status }) => status.allocatable)).toEqual(expected === undefined ? [] : [expected]);
});
