import { describe, expect, test } from '@jest/globals';
import { errorsOf, updateErrors } from '../../testing.js';
import { pod } from '../testing.js';
import { kind } from './kind.js';

const metadata = { name: 'pi', uid: 'u1' };
const job = (spec: object): Record<string, unknown> => ({ metadata, spec: { template: { spec: pod }, ...spec } });

test.each<[string, object, string[]]>([
  ['that is fine', {}, []],
  [
    'that would restart for ever',
    { template: { spec: { containers: pod.containers } } },
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  [
    'that restarts somehow',
    { template: { spec: { ...pod, restartPolicy: 'Maybe' } } },
    [
      'spec.template.spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"',
      'spec.template.spec.restartPolicy: Unsupported value: "Maybe": supported values: "OnFailure", "Never"',
    ],
  ],
  [
    'with a negative limit',
    { backoffLimit: -1 },
    ['spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'with indexes but no count',
    { completionMode: 'Indexed', parallelism: 2 },
    ['spec.completions: Required value: when completion mode is Indexed'],
  ],
  [
    'with a limit per index but no indexes',
    { backoffLimitPerIndex: 1 },
    ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
  ],
  [
    'with more failed indexes than there are',
    { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1, maxFailedIndexes: 3 },
    ['spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to completions'],
  ],
  [
    'with failed indexes but no limit per index',
    { completionMode: 'Indexed', completions: 2, maxFailedIndexes: 1 },
    ['spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
  ],
  [
    'with too many at once',
    { completionMode: 'Indexed', completions: 2, parallelism: 100001 },
    ['spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed'],
  ],
  [
    'of an unknown mode',
    { completionMode: 'Random' },
    ['spec.completionMode: Unsupported value: "Random": supported values: "NonIndexed", "Indexed"'],
  ],
  [
    'managed by nobody in particular',
    { managedBy: 'me' },
    ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  [
    'that replaces pods somehow',
    { podReplacementPolicy: 'Soon' },
    ['spec.podReplacementPolicy: Unsupported value: "Soon": supported values: "Failed", "TerminatingOrFailed"'],
  ],
  [
    'with a selector of its own that does not match',
    { manualSelector: true, selector: { matchLabels: { app: 'shop' } } },
    ['spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`'],
  ],
])('a Job %s', (_, spec, errors) => expect(errorsOf(kind, job(spec))).toEqual(errors));

test('the names of its pods are labels', () =>
  expect(
    errorsOf(kind, {
      ...job({ completionMode: 'Indexed', completions: 10 }),
      metadata: { ...metadata, name: 'a'.repeat(62) },
    }),
  ).toEqual([
    `metadata.name: Invalid value: "${'a'.repeat(62)}": will not able to create pod with invalid DNS label: ${'a'.repeat(62)}-9`,
  ]));

describe('a success policy', () => {
  const at = 'spec.successPolicy';
  const indexed = { completionMode: 'Indexed', completions: 2 };
  test.each<[string, object, object[], string[]]>([
    ['of an index', indexed, [{ succeededIndexes: '0' }], []],
    [
      'of an index that there is not',
      indexed,
      [{ succeededIndexes: '0,5' }],
      [`${at}.rules[0].succeededIndexes: Invalid value: "0,5": error parsing succeededIndexes: too large index: "5"`],
    ],
    [
      'of no rules',
      indexed,
      [],
      [`${at}.rules: Required value: at least one rules must be specified when the successPolicy is specified`],
    ],
    [
      'of nothing',
      indexed,
      [{}],
      [`${at}.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified`],
    ],
    [
      'of more than there are',
      indexed,
      [{ succeededCount: 3, succeededIndexes: '0' }],
      [
        `${at}.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of specified completions)`,
        `${at}.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)`,
      ],
    ],
  ])('%s', (_, spec, rules, errors) =>
    expect(errorsOf(kind, job({ ...spec, successPolicy: { rules } }))).toEqual(errors),
  );
  test('needs indexes', () =>
    expect(errorsOf(kind, job({ successPolicy: { rules: [{ succeededCount: 1 }] } }))).toEqual([
      `${at}: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode`,
    ]));
});

describe('a failure policy', () => {
  const at = 'spec.podFailurePolicy.rules[0]';
  const exit = (fields: object): object => ({
    action: 'FailJob',
    onExitCodes: { operator: 'In', values: [1], ...fields },
  });
  const EITHER = 'specifying one of OnExitCodes and OnPodConditions is required';
  test.each<[string, object, string[]]>([
    ['of exit codes', exit({ containerName: 'pi' }), []],
    ['of a condition', { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }, []],
    ['about nothing', { action: 'Ignore' }, [`${at}: Invalid value: ${EITHER}`]],
    [
      'about both',
      { ...exit({}), onPodConditions: [{ type: 'DisruptionTarget' }] },
      [`${at}: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`],
    ],
    [
      'of an unknown action',
      { ...exit({}), action: 'Cry' },
      [`${at}.action: Unsupported value: "Cry": supported values: "Count", "FailIndex", "FailJob", "Ignore"`],
    ],
    [
      'of an index, without a limit per index',
      { ...exit({}), action: 'FailIndex' },
      [`${at}.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`],
    ],
    [
      'with exit codes out of order',
      exit({ values: [2, 1] }),
      [`${at}.onExitCodes.values: Invalid value: [2,1]: must be ordered`],
    ],
    ['with an exit code twice', exit({ values: [1, 1] }), [`${at}.onExitCodes.values[1]: Duplicate value: 1`]],
    [
      'with no exit codes',
      exit({ values: [] }),
      [`${at}.onExitCodes.values: Invalid value: null: at least one value is required`],
    ],
    [
      'of success',
      exit({ values: [0] }),
      [`${at}.onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator`],
    ],
    [
      'of an unknown operator',
      exit({ operator: 'Is' }),
      [`${at}.onExitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"`],
    ],
    [
      'of a container that there is not',
      exit({ containerName: 'gone' }),
      [
        `${at}.onExitCodes.containerName: Invalid value: "gone": must be one of the container or initContainer names in the pod template`,
      ],
    ],
  ])('%s', (_, rule, errors) => expect(errorsOf(kind, job({ podFailurePolicy: { rules: [rule] } }))).toEqual(errors));
  test('needs pods that never restart', () =>
    expect(
      errorsOf(
        kind,
        job({ podFailurePolicy: { rules: [exit({})] }, template: { spec: { ...pod, restartPolicy: 'OnFailure' } } }),
      ),
    ).toEqual([
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    ]));
});

describe('an update', () => {
  const fieldsOf = (before: object, after: object, status: object = {}): string[] => {
    const [old, next] = [before, after].map((spec) => {
      const object = structuredClone({ apiVersion: 'batch/v1', kind: 'Job', ...job(spec), status });
      kind.defaults!(object as never);
      return object;
    });
    return kind.validateUpdate!(next as never, old as never, undefined as never).map((error) => error.field);
  };
  const indexed = { completionMode: 'Indexed', completions: 2, parallelism: 2 };
  test.each<[string, object, object, object, string[]]>([
    ['of the parallelism', { completions: 5 }, { completions: 5, parallelism: 5 }, {}, []],
    [
      'of the template',
      {},
      { template: { spec: { ...pod, containers: [{ name: 'pi', image: 'perl:6' }] } } },
      {},
      ['spec.template'],
    ],
    ['of the completions', {}, { completions: 2 }, {}, ['spec.completions']],
    ['of indexes with their parallelism', indexed, { ...indexed, completions: 3, parallelism: 3 }, {}, []],
    ['of indexes alone', indexed, { ...indexed, completions: 3 }, {}, ['spec.completions']],
    ['of the manager', {}, { managedBy: 'example.com/me' }, {}, ['spec.managedBy']],
    [
      'of where a suspended Job runs',
      { suspend: true },
      { suspend: true, template: { spec: { ...pod, nodeSelector: { a: 'b' } } } },
      { conditions: [{ type: 'Suspended', status: 'True' }] },
      [],
    ],
    [
      'of what a suspended Job runs',
      { suspend: true },
      { suspend: true, template: { spec: { ...pod, containers: [{ name: 'pi', image: 'perl:6' }] } } },
      { conditions: [{ type: 'Suspended', status: 'True' }] },
      ['spec.template.spec'],
    ],
    [
      'of where a Job runs that was told to suspend',
      { suspend: true },
      { suspend: true, template: { spec: { ...pod, nodeSelector: { a: 'b' } } } },
      {},
      ['spec.template'],
    ],
  ])('%s', (_, before, after, status, fields) => expect(fieldsOf(before, after, status)).toEqual(fields));
  test('of a field that stays says so', () =>
    expect(updateErrors(kind, job({}), job({ managedBy: 'example.com/me' }))).toEqual([
      'spec.managedBy: Invalid value: "example.com/me": field is immutable',
    ]));
});
