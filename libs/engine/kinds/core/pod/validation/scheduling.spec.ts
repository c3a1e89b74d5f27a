import { describe, expect, test } from '@jest/globals';
import { podErrors, web } from '../testing.js';

const errorsOf = (spec: object): string[] => podErrors({ containers: [web], ...spec });
const QUALIFIED =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('gates', () => {
  test.each<[object, string[]]>([
    [{ readinessGates: [{ conditionType: 'example.com/ready' }], schedulingGates: [{ name: 'a' }, { name: 'b' }] }, []],
    [{ schedulingGates: [{ name: 'a' }, { name: 'a' }] }, ['spec.schedulingGates[1]: Duplicate value: "a"']],
    [{ schedulingGates: [{ name: '-' }] }, [`spec.schedulingGates[0]: Invalid value: "-": ${QUALIFIED}`]],
    [
      { readinessGates: [{ conditionType: '-' }] },
      [`spec.readinessGates[0].conditionType: Invalid value: "-": ${QUALIFIED}`],
    ],
  ])('%j', (spec, errors) => expect(errorsOf(spec)).toEqual(errors));
});

describe('tolerations', () => {
  const at = 'spec.tolerations[0]';
  test.each<[object, string[]]>([
    [{ operator: 'Exists' }, []],
    [{ key: 'a', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 }, []],
    [
      { operator: 'Equal', value: 'x' },
      [
        `${at}.operator: Invalid value: "Equal": operator must be Exists when \`key\` is empty, which means "match all values and all keys"`,
      ],
    ],
    [{ key: '-', operator: 'Exists' }, [`${at}.key: Invalid value: "-": ${QUALIFIED}`]],
    [
      { key: 'a', operator: 'Exists', value: 'b' },
      [`${at}.operator: Invalid value: "b": value must be empty when \`operator\` is 'Exists'`],
    ],
    [
      { key: 'a', operator: 'Exists', tolerationSeconds: 5 },
      [`${at}.effect: Invalid value: "": effect must be 'NoExecute' when \`tolerationSeconds\` is set`],
    ],
    [{ key: 'a', value: '-' }, [`${at}.operator: Invalid value: "-": ${VALUE}`]],
    [{ key: 'a', operator: 'In' }, [`${at}.operator: Unsupported value: "In": supported values: "Equal", "Exists"`]],
    [
      { key: 'a', operator: 'Exists', effect: 'Never' },
      [`${at}.effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`],
    ],
  ])('%j', (toleration, errors) => expect(errorsOf({ tolerations: [toleration] })).toEqual(errors));
});

describe('node affinity', () => {
  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
  const at = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  const required = (...terms: object[]): object => ({
    affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: terms } } },
  });
  const expression = (fields: object): object => required({ matchExpressions: [{ key: 'a', ...fields }] });
  test.each<[string, object, string[]]>([
    ['for nodes with a label', expression({ operator: 'In', values: ['b'] }), []],
    ['for no terms', required(), [`${at}: Required value: must have at least one node selector term`]],
    [
      'In nothing',
      expression({ operator: 'In' }),
      [`${at}[0].matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`],
    ],
    [
      'Exists with values',
      expression({ operator: 'Exists', values: ['b'] }),
      [
        `${at}[0].matchExpressions[0].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
      ],
    ],
    [
      'Gt two values',
      expression({ operator: 'Gt', values: ['1', '2'] }),
      [
        `${at}[0].matchExpressions[0].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      ],
    ],
    [
      'of an unknown operator',
      expression({ operator: 'Is' }),
      [`${at}[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator`],
    ],
    [
      'of a value that no label has',
      expression({ operator: 'In', values: ['-'] }),
      [`${at}[0].matchExpressions[0].values[0]: Invalid value: "-": ${VALUE}`],
    ],
    [
      'for a node by its name',
      required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }),
      [],
    ],
    [
      'for two nodes by their names',
      required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n', 'm'] }] }),
      [
        `${at}[0].matchFields[0].values: Required value: must be only one value when \`operator\` is 'In' or 'NotIn' for node field selector`,
      ],
    ],
    [
      'for a node by its uid',
      required({ matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['n'] }] }),
      [`${at}[0].matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key`],
    ],
    [
      'of too much weight',
      { affinity: { nodeAffinity: { [PREFERRED]: [{ weight: 101, preference: {} }] } } },
      [`spec.affinity.nodeAffinity.${PREFERRED}[0].weight: Invalid value: 101: must be in the range 1-100`],
    ],
    [
      'a preference for a value that no label has',
      {
        affinity: {
          nodeAffinity: {
            [PREFERRED]: [
              { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['-'] }] } },
            ],
          },
        },
      },
      [],
    ],
  ])('%s', (_, spec, errors) => expect(errorsOf(spec)).toEqual(errors));
});

describe('pod affinity', () => {
  const at = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';
  const labelSelector = { matchLabels: { app: 'web' } };
  test.each<[string, object, string[]]>([
    ['to pods of a label', { labelSelector, topologyKey: 'zone', matchLabelKeys: ['tier'] }, []],
    [
      'without a topology',
      { labelSelector },
      [
        `${at}.topologyKey: Required value: can not be empty`,
        `${at}.topologyKey: Invalid value: "": name part must be non-empty`,
        `${at}.topologyKey: Invalid value: "": ${QUALIFIED}`,
      ],
    ],
    [
      'to a namespace that cannot be',
      { labelSelector, topologyKey: 'zone', namespaces: ['A'] },
      [
        `${at}.namespace: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    [
      'with keys, but no selector',
      { topologyKey: 'zone', matchLabelKeys: ['tier'], mismatchLabelKeys: ['x'] },
      ['matchLabelKeys', 'mismatchLabelKeys'].map(
        (field) => `${at}.${field}: Forbidden: must not be specified when labelSelector is not set`,
      ),
    ],
    [
      'with a key that must and must not be the same',
      { labelSelector, topologyKey: 'zone', matchLabelKeys: ['tier'], mismatchLabelKeys: ['tier'] },
      [`${at}.matchLabelKeys[0]: Invalid value: "tier": exists in both matchLabelKeys and mismatchLabelKeys`],
    ],
  ])('%s', (_, term, errors) =>
    expect(errorsOf({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } })).toEqual(
      errors,
    ),
  );
  test('of no weight', () =>
    expect(
      errorsOf({
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { podAffinityTerm: { labelSelector, topologyKey: 'zone' } },
            ],
          },
        },
      }),
    ).toEqual([
      'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
    ]));
});

describe('topology spread constraints', () => {
  const at = 'spec.topologySpreadConstraints[0]';
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
  test.each<[string, object[], string[]]>([
    ['a good one', [{ ...constraint, minDomains: 2, nodeTaintsPolicy: 'Honor' }], []],
    [
      'nothing at all',
      [{}],
      [
        `${at}.maxSkew: Invalid value: 0: must be greater than zero`,
        `${at}.topologyKey: Required value: can not be empty`,
        `${at}.whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"`,
      ],
    ],
    [
      'one without a key',
      [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
      [`${at}.topologyKey: Required value: can not be empty`],
    ],
    [
      'the same topology twice',
      [constraint, { ...constraint, maxSkew: 2 }],
      [`${at}.{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"`],
    ],
    [
      'a number of domains that is only wished for',
      [{ ...constraint, whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2 }],
      [
        `${at}.minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway`,
      ],
    ],
    [
      'no domain',
      [{ ...constraint, minDomains: 0 }],
      [`${at}.minDomains: Invalid value: 0: must be greater than zero`],
    ],
    [
      'an unknown policy',
      [{ ...constraint, nodeAffinityPolicy: 'Maybe' }],
      [`${at}.nodeAffinityPolicy: Unsupported value: "Maybe": supported values: "Honor", "Ignore"`],
    ],
  ])('%s', (_, topologySpreadConstraints, errors) => expect(errorsOf({ topologySpreadConstraints })).toEqual(errors));
});
