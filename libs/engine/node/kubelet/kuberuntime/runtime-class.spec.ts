import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { node, pod, readerOf } from '../testing.js';
import { findRuntimeFailure, runtimeOf } from './runtime-class.js';

const runtimeClass = (handler: string): KubeObject =>
  ({ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'fast' }, handler }) as KubeObject;
const told = (handlers: Record<string, string>): KubeObject =>
  ({
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'NodeRuntime',
    metadata: { name: NODE },
    handlers,
  }) as unknown as KubeObject;
const NODE = node().metadata.name ?? '';
const RUNC = { runc: 'io.containerd.runc.v2' };
const UNKNOWN = 'rpc error: code = Unknown desc = ';

test.each<[string, KubeObject[], string | undefined]>([
  ['does not exist', [], 'runtimeclass.node.k8s.io "fast" not found'],
  ['names the default', [runtimeClass('runc')], undefined],
  ['names what nodes are set up with', [runtimeClass('test-handler')], undefined],
  [
    'names what its node does not have any more',
    [runtimeClass('test-handler'), told(RUNC)],
    `${UNKNOWN}unable to get OCI runtime for sandbox "id": no runtime for "test-handler" is configured`,
  ],
  [
    'names a runtime whose shim is not there',
    [runtimeClass('kata'), told({ ...RUNC, kata: 'io.containerd.kata.v2' })],
    `${UNKNOWN}failed to start sandbox "id": failed to create containerd task: failed to resolve runtime path: ` +
      'runtime "io.containerd.kata.v2" binary not installed "containerd-shim-kata-v2": file does not exist',
  ],
])('a pod whose RuntimeClass %s', (_case, objects, expected) => {
  const failure = findRuntimeFailure(readerOf(node(), ...objects), pod({ runtimeClassName: 'fast' }), NODE);
  expect((failure?.before ?? failure?.after)?.('id')).toBe(expected);
});

test('a pod has the runtime that its RuntimeClass stands for', () => {
  const read = readerOf(runtimeClass('runsc'), told({ ...RUNC, runsc: 'io.containerd.runsc.v1' }));
  expect(runtimeOf(read, pod({ runtimeClassName: 'fast' }), NODE)).toBe('io.containerd.runsc.v1');
  expect(runtimeOf(read, pod(), NODE)).toBeUndefined();
  expect(findRuntimeFailure(read, pod(), NODE)).toBeUndefined();
});
