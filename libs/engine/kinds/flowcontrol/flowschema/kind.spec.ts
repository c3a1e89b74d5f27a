import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row } from '../../testing.js';
import { kind as FlowSchemas } from './kind.js';

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
