import { describe, expect, test } from '@jest/globals';
import { AGE, context, create, errorsOf, make, row, statusErrors, updateErrors } from '../../testing.js';
import { cpu, scaleTargetRef } from '../testing.js';
import { kind } from './kind.js';

const spec = { scaleTargetRef, maxReplicas: 3 };

describe('spec and status are written apart', () => {
  const old = create(kind, { spec });
  const next = make(kind, { spec: { ...spec, maxReplicas: 9 }, status: { desiredReplicas: 9 } });
  test('a new one has no status', () =>
    expect(create(kind, { spec, status: { desiredReplicas: 9 } }).status).toEqual({
      desiredReplicas: 0,
      currentMetrics: null,
    }));
  test('an update leaves the status', () => {
    const draft = structuredClone(next);
    kind.prepareForUpdate!(draft, old, context);
    expect([draft.spec, draft.status]).toEqual([next.spec, old.status]);
  });
  test('a status leaves the spec', () => {
    const draft = structuredClone(next);
    kind.prepareForStatusUpdate!(draft, old, context);
    expect([draft.spec, draft.status]).toEqual([old.spec, next.status]);
  });
});

test('a stored one is validated by the update alone, which knows what it was', () => {
  const bad = { metadata: { resourceVersion: '1' }, spec: { scaleTargetRef, maxReplicas: 0, minReplicas: 0 } };
  expect(errorsOf(kind, bad)).toEqual([]);
  expect(updateErrors(kind, bad, bad)).toContain('spec.maxReplicas: Required value: must be set and greater than 0');
});

test.each<[object, string[]]>([
  [{ currentReplicas: 1, desiredReplicas: 2 }, []],
  [
    { currentReplicas: -1, desiredReplicas: -1 },
    ['currentReplicas', 'desiredReplicas'].map(
      (field) => `status.${field}: Invalid value: -1: must be greater than or equal to 0`,
    ),
  ],
])('the status %j', (status, errors) => expect(statusErrors(kind, { spec }, status)).toEqual(errors));

test('its row', () =>
  expect(
    row(
      kind,
      make(kind, {
        spec: {
          scaleTargetRef,
          minReplicas: 1,
          maxReplicas: 10,
          metrics: [
            cpu(50),
            { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '100' } } },
            cpu(1),
          ],
        },
        status: {
          currentReplicas: 2,
          currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7 } } }],
        },
      }),
    ),
  ).toEqual({
    Name: 'a',
    Reference: 'Deployment/web',
    Targets: 'cpu: 7%/50%, <unknown>/100 + 1 more...',
    MinPods: '1',
    MaxPods: 10,
    Replicas: 2,
    Age: AGE,
  }));
