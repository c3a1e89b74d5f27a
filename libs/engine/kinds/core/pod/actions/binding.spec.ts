import { expect, test } from '@jest/globals';
import type { Pod } from '../../../../api/core_v1.js';
import { makePod } from '../testing.js';
import { runAction } from './testing.js';

const binding = { target: { kind: 'Node', name: 'n1' } };
const bind = (pod: Pod, body: unknown = binding) => runAction('binding', 'create', pod, body);

test('puts the pod on the node', () => {
  const { stored } = bind(makePod({}, { phase: 'Pending', nominatedNodeName: 'n1' }));
  expect(stored!.spec.nodeName).toBe('n1');
  expect(stored!.status).toEqual({
    phase: 'Pending',
    conditions: [
      { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-01-01T12:00:00Z' },
    ],
  });
});

test('adds its annotations to the pod', () =>
  expect(
    bind(makePod({}, {}, { annotations: { a: 'b' } }), { ...binding, metadata: { annotations: { c: 'd' } } }).stored!
      .metadata.annotations,
  ).toEqual({ a: 'b', c: 'd' }));

const CONFLICT = 'Operation cannot be fulfilled on pods/binding "web":';
test.each<[string, Pod, object, number, string]>([
  ['twice', makePod({ nodeName: 'n2' }), binding, 409, `${CONFLICT} pod web is already assigned to node "n2"`],
  [
    'of a gated pod',
    makePod({ schedulingGates: [{ name: 'a' }] }),
    binding,
    409,
    `${CONFLICT} pod web has non-empty .spec.schedulingGates`,
  ],
  [
    'of a pod that is being deleted',
    makePod({}, {}, { deletionTimestamp: '2026-01-01T12:00:00Z' }),
    binding,
    409,
    `${CONFLICT} pod web is being deleted, cannot be assigned to a host`,
  ],
  [
    'of another pod of that name',
    makePod({}, {}, { uid: 'u1' }),
    { ...binding, metadata: { uid: 'u2' } },
    409,
    `${CONFLICT} Precondition failed: UID in precondition: u2, UID in object meta: u1`,
  ],
  ['to nothing', makePod(), { target: {} }, 422, 'Binding "web" is invalid: target.name: Required value'],
  [
    'to a pod',
    makePod(),
    { target: { kind: 'Pod', name: 'n' } },
    422,
    'Binding "web" is invalid: target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
  ],
])('%s is refused', (_, pod, body, code, message) => {
  const { error, stored } = bind(pod, body);
  expect(error).toMatchObject({ code, message });
  expect(stored).toBeUndefined();
});
