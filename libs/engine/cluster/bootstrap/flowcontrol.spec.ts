import { expect, test } from '@jest/globals';
import { flowSchemas, priorityLevels, setNotDangling } from './flowcontrol.js';

const levels = new Set(priorityLevels().map((level) => level.metadata.name));

test.each(flowSchemas().map((schema) => [schema.metadata.name, schema] as const))(
  'the flow schema %s has a priority level',
  (_, schema) => expect(levels).toContain(schema.spec!.priorityLevelConfiguration.name),
);

test('flow schemas are matched in the order of their precedence, the mandatory ones first and last', () => {
  const precedences = flowSchemas().map((schema) => schema.spec!.matchingPrecedence!);
  expect(precedences).toEqual([...precedences].sort((a, b) => a - b));
  expect([precedences[0], precedences.at(-1)]).toEqual([1, 10_000]);
});

test('a flow schema whose level exists is not dangling', () => {
  const [exempt] = flowSchemas();
  expect(setNotDangling(exempt!, '2026-01-01T00:00:00Z').status!.conditions).toEqual([
    {
      type: 'Dangling',
      status: 'False',
      reason: 'Found',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "exempt" and it exists',
    },
  ]);
});
