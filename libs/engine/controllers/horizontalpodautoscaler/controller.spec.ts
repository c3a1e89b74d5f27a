import { expect, test } from '@jest/globals';
import { ControllerBed, seconds } from '../../../testkit/beds/controller-bed.js';
import type { HorizontalPodAutoscaler } from '../../api/autoscaling_v2.js';
import { Deployments, Events, HorizontalPodAutoscalers } from '../../kinds/index.js';
import { controller } from './controller.js';

const deployment = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  status: {},
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
});
const autoscaler = (): HorizontalPodAutoscaler =>
  ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'default' },
    status: {},
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  }) as unknown as HorizontalPodAutoscaler;

function bedWith(replicas?: number): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  if (replicas !== undefined) bed.client.create(Deployments, deployment(replicas) as never);
  bed.client.create(HorizontalPodAutoscalers, autoscaler());
  bed.settle(seconds(60));
  expect(bed.errors).toEqual([]);
  return bed;
}
const conditionsIn = (bed: ControllerBed): string[] =>
  bed.get(HorizontalPodAutoscalers, 'web').status.conditions!.map((c) => `${c.type} ${c.status} ${c.reason}`);

test('within its bounds it says that there are no metrics', () => {
  const bed = bedWith(3);
  expect(bed.get(HorizontalPodAutoscalers, 'web').status).toMatchObject({ currentReplicas: 3, desiredReplicas: 0 });
  expect(conditionsIn(bed)).toEqual([
    'AbleToScale True SucceededGetScale',
    'ScalingActive False FailedGetResourceMetric',
  ]);
  expect(bed.events().map((e) => e.split(' ')[0])).toEqual(['FailedGetResourceMetric', 'FailedComputeMetricsReplicas']);
  expect(bed.restart()).toBe(0);
});

test('it says so at each sync, as long as the recorder lets that through', () => {
  const bed = bedWith(3);
  const counts = (): unknown[] => bed.client.list(Events).map(({ count }) => count);
  expect(counts()).toEqual([4, 4]);
  bed.settle(seconds(600));
  expect([counts(), bed.restart(), bed.errors]).toEqual([[12, 12], 0, []]);
  expect(bed.settle(seconds(4_000)).restart()).toBe(0);
});

test.each([
  ['above', 9, 5, 'New size: 5; reason: Current number of replicas above Spec.MaxReplicas'],
  ['below', 1, 2, 'New size: 2; reason: Current number of replicas below Spec.MinReplicas'],
])('%s its bounds it scales to them', (_where, from, to, message) => {
  const bed = bedWith(from);
  expect(bed.get(Deployments, 'web').spec.replicas).toBe(to);
  expect(bed.events()).toContain(`SuccessfulRescale ${message}`);
  expect(bed.restart()).toBe(0);
});

test('a target of no replicas is left alone', () => {
  const bed = bedWith(0);
  expect(bed.get(Deployments, 'web').spec.replicas).toBe(0);
  expect(conditionsIn(bed)).toEqual(['AbleToScale True SucceededGetScale', 'ScalingActive False ScalingDisabled']);
});

test('a target that is not there', () => {
  expect(conditionsIn(bedWith())).toEqual(['AbleToScale False FailedGetScale']);
});
