import { expect, test } from '@jest/globals';
import { AGE, context, create, errorsOf, make, row, statusErrors } from '../../testing.js';
import { kind } from './kind.js';

const PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

test.each<[object, string[]]>([
  [{ minAvailable: '50%', selector: { matchLabels: { app: 'a' } } }, []],
  [
    { minAvailable: 1, maxUnavailable: 1 },
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
  [{ minAvailable: -1 }, ['spec.minAvailable: Invalid value: -1: must be greater than or equal to 0']],
  [{ maxUnavailable: '101%' }, ['spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%']],
  [{ maxUnavailable: '1' }, [`spec.maxUnavailable: Invalid value: "1": ${PERCENT}`]],
  [{ maxUnavailable: '200' }, [`spec.maxUnavailable: Invalid value: "200": ${PERCENT}`]],
  [
    { selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    ['spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator'],
  ],
  [
    { unhealthyPodEvictionPolicy: 'Never' },
    ['spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"'],
  ],
])('a PodDisruptionBudget of %j', (spec, errors) => expect(errorsOf(kind, { spec })).toEqual(errors));

test('spec and status are written apart', () => {
  const old = create(kind, { spec: { minAvailable: 1 }, status: { disruptionsAllowed: 9 } });
  expect(old.status).toEqual({ currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 });
  const next = make(kind, { spec: { minAvailable: 2 }, status: { disruptionsAllowed: 2 } });
  const [spec, status] = [structuredClone(next), structuredClone(next)];
  kind.prepareForUpdate!(spec, old, context);
  kind.prepareForStatusUpdate!(status, old, context);
  expect([spec.spec, spec.status]).toEqual([next.spec, old.status]);
  expect([status.spec, status.status]).toEqual([old.spec, next.status]);
});

test.each<[object, string[]]>([
  [{ disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 }, []],
  [
    { disruptionsAllowed: -1, expectedPods: -1 },
    ['disruptionsAllowed', 'expectedPods'].map(
      (field) => `status.${field}: Invalid value: -1: must be greater than or equal to 0`,
    ),
  ],
  [
    { conditions: [{ type: 'a', status: 'True' }] },
    ['status.conditions[0].lastTransitionTime: Required value', 'status.conditions[0].reason: Required value'],
  ],
])('the status %j', (status, errors) => expect(statusErrors(kind, {}, status)).toEqual(errors));

test('its row', () => {
  expect(row(kind, create(kind, { spec: { minAvailable: 0 } }))).toEqual({
    Name: 'a',
    'Min Available': '0',
    'Max Unavailable': 'N/A',
    'Allowed Disruptions': 0,
    Age: AGE,
  });
  expect(row(kind, make(kind, { spec: { maxUnavailable: '25%' }, status: { disruptionsAllowed: 2 } }))).toMatchObject({
    'Max Unavailable': '25%',
    'Allowed Disruptions': 2,
  });
});
