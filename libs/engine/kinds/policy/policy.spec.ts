import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row } from '../testing.js';
import { kind as Budgets } from './poddisruptionbudget/kind.js';

test.each<[object, string[]]>([
  [
    { minAvailable: 1, maxUnavailable: 1 },
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
  [{ minAvailable: -1 }, ['spec.minAvailable: Invalid value: -1: must be greater than or equal to 0']],
  [{ maxUnavailable: '101%' }, ['spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%']],
  [
    { maxUnavailable: '1' },
    [
      "spec.maxUnavailable: Invalid value: \"1\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
  ],
  [
    { unhealthyPodEvictionPolicy: 'Never' },
    ['spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"'],
  ],
  [{ minAvailable: '50%', selector: { matchLabels: { app: 'a' } } }, []],
])('a PodDisruptionBudget of %j', (spec, errors) => expect(errorsOf(Budgets, { spec })).toEqual(errors));

test('a PodDisruptionBudget prints', () => {
  expect(row(Budgets, create(Budgets, { spec: { minAvailable: 0 } }))).toEqual({
    Name: 'a',
    'Min Available': '0',
    'Max Unavailable': 'N/A',
    'Allowed Disruptions': 0,
    Age: AGE,
  });
  expect(
    row(Budgets, make(Budgets, { spec: { maxUnavailable: '25%' }, status: { disruptionsAllowed: 2 } })),
  ).toMatchObject({ 'Max Unavailable': '25%', 'Allowed Disruptions': 2 });
});
