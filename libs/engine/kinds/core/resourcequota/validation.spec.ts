import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind } from './kind.js';

const ALONE =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
const selector = (scopeName: string, operator: string, values?: string[]): object => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values ? { values } : {}) }] },
});

test.each<[string, object, string[]]>([
  ['good ones', { hard: { pods: '1', 'requests.cpu': '500m', 'example.com/gpu': '1', 'count/jobs.batch': '4' } }, []],
  ['half a pod', { hard: { pods: '500m' } }, ['spec.hard[pods]: Invalid value: "500m": must be an integer']],
  [
    'less than nothing',
    { hard: { 'limits.cpu': '-1' } },
    ['spec.hard[limits.cpu]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    'a resource that quotas do not count',
    { hard: { storage: '1Gi' } },
    ['spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota'],
  ],
  [
    'an unknown resource',
    { hard: { things: '1' } },
    [
      'spec.hard[things]: Invalid value: "things": must be a standard resource type or fully qualified',
      'spec.hard[things]: Invalid value: "things": must be a standard resource for quota',
    ],
  ],
  [
    'a scope of what it does not count',
    { hard: { secrets: '1' }, scopes: ['BestEffort'] },
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  ['an unknown scope', { scopes: ['Rich'] }, ['spec.scopes: Invalid value: ["Rich"]: unsupported scope']],
  [
    'scopes that exclude each other',
    { hard: { pods: '1' }, scopes: ['Terminating', 'NotTerminating'] },
    ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes'],
  ],
  ['a priority class', { hard: { pods: '1' }, ...selector('PriorityClass', 'In', ['high']) }, []],
  [
    'a scope that is or is not',
    { hard: { pods: '1' }, ...selector('Terminating', 'In', ['a']) },
    [`spec.scopeSelector.matchExpressions.operator: Invalid value: "In": ${ALONE}`],
  ],
  [
    'an operator without values',
    { hard: { pods: '1' }, ...selector('PriorityClass', 'In') },
    [
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ],
  [
    'an operator with values that it does not take',
    { hard: { pods: '1' }, ...selector('PriorityClass', 'Exists', ['high']) },
    [
      "spec.scopeSelector.matchExpressions.values: Invalid value: [\"high\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
    ],
  ],
  [
    'an unknown operator',
    { hard: { pods: '1' }, ...selector('PriorityClass', 'Is') },
    ['spec.scopeSelector.matchExpressions.operator: Invalid value: "Is": not a valid selector operator'],
  ],
])('%s', (_, spec, errors) => expect(errorsOf(kind, { spec })).toEqual(errors));
