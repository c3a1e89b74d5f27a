import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row } from '../../testing.js';
import { kind as PriorityLevels } from './kind.js';

describe('a PriorityLevelConfiguration', () => {
  test.each<[object, string[]]>([
    [{ type: 'Exempt' }, ["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"]],
    [
      { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 65_536, handSize: 6 } } } },
      [
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 6: required entropy bits of deckSize 65536 and handSize 6 should not be greater than 60',
      ],
    ],
    [{ type: 'Limited' }, ['spec.limited: Required value: must not be empty when type is Limited']],
    [{ type: 'Fast' }, ['spec.type: Unsupported value: "Fast": supported values: "Exempt", "Limited"']],
    [
      { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 4 } } } },
      ['spec.limited.limitResponse.queuing.handSize: Invalid value: 8: should not be greater than queues (4)'],
    ],
  ])('of %j', (spec, errors) => expect(errorsOf(PriorityLevels, { spec })).toEqual(errors));
  test('defaults its queues and prints', () =>
    expect(
      row(
        PriorityLevels,
        create(PriorityLevels, {
          spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } },
        }),
      ),
    ).toEqual({
      Name: 'a',
      Type: 'Limited',
      NominalConcurrencyShares: 30,
      Queues: 64,
      HandSize: 8,
      QueueLengthLimit: 50,
      Age: AGE,
    }));
});
