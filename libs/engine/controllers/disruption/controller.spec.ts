import { expect, it } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { PodDisruptionBudgets, ReplicaSets } from '../../kinds/index.js';
import { controller as replicaset } from '../replicaset/controller.js';
import { controller } from './controller.js';

it.each([
  [{ minAvailable: 2 }, { expectedPods: 4, desiredHealthy: 2, currentHealthy: 4, disruptionsAllowed: 2 }],
  [{ minAvailable: '60%' }, { expectedPods: 4, desiredHealthy: 3, currentHealthy: 4, disruptionsAllowed: 1 }],
  [{ maxUnavailable: 1 }, { expectedPods: 4, desiredHealthy: 3, currentHealthy: 4, disruptionsAllowed: 1 }],
  [{ minAvailable: 4 }, { expectedPods: 4, desiredHealthy: 4, currentHealthy: 4, disruptionsAllowed: 0 }],
])('a budget of %j over four ready pods says %j', (spec, status) => {
  const bed = new ControllerBed({ controllers: [controller, replicaset] });
  const selector = { matchLabels: { app: 'web' } };
  bed.client.create(ReplicaSets, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 4,
      selector,
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
    status: { replicas: 0 },
  });
  bed.client.create(PodDisruptionBudgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector, ...spec },
    status: {},
  } as never);
  bed.settle();
  expect(bed.get(PodDisruptionBudgets, 'web').status).toMatchObject(status);
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});
