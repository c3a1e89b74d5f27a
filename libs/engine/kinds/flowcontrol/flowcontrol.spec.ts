import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row } from '../testing.js';
import { kind as FlowSchemas } from './flowschema/kind.js';
import { kind as PriorityLevels } from './prioritylevelconfiguration/kind.js';

const rules = [
  {
    subjects: [{ kind: 'Group', group: { name: 'ops' } }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  },
];
describe('a FlowSchema', () => {
  const good = { priorityLevelConfiguration: { name: 'low' }, rules };
  test.each<[object, string[]]>([
    [good, []],
    [{ rules }, ['spec.priorityLevelConfiguration.name: Required value: must reference a priority level']],
    [
      { ...good, matchingPrecedence: 1 },
      ["spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1"],
    ],
    [
      { ...good, rules: [{ ...rules[0], subjects: [{ kind: 'Group', user: { name: 'x' } }] }] },
      [
        "spec.rules[0].subjects[0].group: Required value: group is required when subject kind is 'Group'",
        "spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'",
      ],
    ],
    [
      { ...good, rules: [{ ...rules[0], resourceRules: [{ verbs: ['get'], apiGroups: ['*'], resources: ['*'] }] }] },
      [
        'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
      ],
    ],
    [
      {
        ...good,
        rules: [{ ...rules[0], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['healthz', '/a*/b'] }] }],
      },
      [
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "healthz": must start with slash',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/a*/b": wildcard can only do suffix matching',
      ],
    ],
    [
      { ...good, distinguisherMethod: { type: 'ByMood' } },
      [
        'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByMood"}: supported values: "ByNamespace", "ByUser"',
      ],
    ],
  ])('of %j', (spec, errors) => expect(errorsOf(FlowSchemas, { spec })).toEqual(errors));
  test('prints', () =>
    expect(row(FlowSchemas, create(FlowSchemas, { spec: good }))).toEqual({
      Name: 'a',
      PriorityLevel: 'low',
      MatchingPrecedence: 1000,
      DistinguisherMethod: '<none>',
      Age: AGE,
      MissingPL: '?',
    }));
});

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
