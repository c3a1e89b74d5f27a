import { expect, test } from '@jest/globals';
import { AGE, make, row } from '../../testing.js';
import { kind as Stored } from '../horizontalpodautoscaler/kind.js';
import { scaleTargetRef } from '../testing.js';
import { kind } from './kind.js';

test('it is stored as autoscaling/v2', () => expect(kind.storedAs!.kind).toBe(Stored));

test('it prints as autoscaling/v2', () =>
  expect(
    row(
      kind,
      make(kind, {
        spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 60 },
        status: { currentReplicas: 2, currentCPUUtilizationPercentage: 9 },
      }),
    ),
  ).toEqual({
    Name: 'a',
    Reference: 'Deployment/web',
    Targets: 'cpu: 9%/60%',
    MinPods: '1',
    MaxPods: 3,
    Replicas: 2,
    Age: AGE,
  }));
