import { expect, test } from '@jest/globals';
import { errorsOf, make, row, updateErrors } from '../../testing.js';
import { kind as Faults } from './kind.js';

const nodeDown = { type: 'NodeDown', target: { nodes: ['worker-1'] } };

test.each<[string, object, string | undefined]>([
  ['one that is right', nodeDown, undefined],
  ['a start, a duration and a seed', { ...nodeDown, start: '30s', duration: '5m', seed: 7 }, undefined],
  ['a time', { ...nodeDown, start: '2026-01-01T12:00:00Z' }, undefined],
  ['no target', { type: 'NodeDown' }, 'spec.target: Required value: one of nodes, nodeSelector'],
  ['a wrong start', { ...nodeDown, start: 'soon' }, 'spec.start: Invalid value: "soon": must be a duration'],
  ['no duration at all', { ...nodeDown, duration: '0s' }, 'spec.duration: Invalid value: "0s": must be a duration'],
  ['an unknown field', { ...nodeDown, when: 1 }, 'spec: Invalid value: "when": unknown field'],
  ['a field of others', { ...nodeDown, target: { pods: ['a'], nodes: ['b'] } }, 'spec.target: Invalid value: "pods"'],
  ['an unknown parameter', { ...nodeDown, parameters: { x: 1 } }, 'spec.parameters: Unsupported value: "x"'],
  [
    'a parameter out of its range',
    { type: 'ContainerCrash', target: { pods: ['a'] }, parameters: { exitCode: 300 } },
    'spec.parameters.exitCode: Invalid value: 300: must be between 0 and 255, inclusive',
  ],
  ['a number without its mode', { ...nodeDown, target: { nodes: ['a'], value: 1 } }, 'spec.target.value: Forbidden'],
  [
    'a wrong mode',
    { ...nodeDown, target: { nodes: ['a'], mode: 'some' } },
    'spec.target.mode: Unsupported value: "some"',
  ],
  ['names that are none', { ...nodeDown, target: { nodes: [1] } }, 'spec.target.nodes: Invalid value'],
  ['a name that is needed', { type: 'ControllerDown' }, 'spec.target.controllers: Required value'],
])('%s', (_case, spec, expected) => {
  const errors = errorsOf(Faults, { metadata: { name: 'f' }, spec });
  if (expected === undefined) expect(errors).toEqual([]);
  else expect(errors.join('\n')).toContain(expected);
});

test('an unknown type is refused with those that there are', () => {
  const [error = ''] = errorsOf(Faults, { metadata: { name: 'f' }, spec: { type: 'Meteor' } });
  expect(error).toMatch(/^spec.type: Unsupported value: "Meteor": supported values: .*"NodeDown"/);
});

test.each([
  ['its end comes sooner', { ...nodeDown, ended: true }, nodeDown, 0],
  ['its duration changes', { ...nodeDown, duration: '9m' }, nodeDown, 0],
  ['its target changes', { ...nodeDown, target: { nodes: ['b'] } }, nodeDown, 1],
  ['it begins again', nodeDown, { ...nodeDown, ended: true }, 1],
])('%s', (_case, spec, old, count) => {
  const object = (own: object): object => ({ metadata: { name: 'f' }, spec: own });
  expect(updateErrors(Faults, object(old) as never, object(spec) as never)).toHaveLength(count);
});

test('a row', () =>
  expect(
    row(Faults, make(Faults, { spec: nodeDown, status: { phase: 'Active', targets: ['node/worker-1'] } })),
  ).toMatchObject({ Type: 'NodeDown', Phase: 'Active', Targets: 'node/worker-1' }));
