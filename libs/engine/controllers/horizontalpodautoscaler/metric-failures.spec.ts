import { expect, test } from '@jest/globals';
import type { HorizontalPodAutoscaler, MetricSpec } from '../../api/autoscaling_v2.js';
import { findMetricFailures } from './metric-failures.js';

const NO_RESOURCE =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';
const NO_CUSTOM =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
const NO_EXTERNAL =
  'unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)';
const CPU = `failed to get cpu utilization: unable to get metrics for resource cpu: ${NO_RESOURCE}`;
const MEMORY = `failed to get memory usage: unable to get metrics for resource memory: ${NO_RESOURCE}`;
const HITS = `unable to get metric hits: ${NO_CUSTOM} on Ingress shop/front`;
const queue = (selector: string): string => `unable to get external metric shop/queue/${selector}: ${NO_EXTERNAL}`;
const front = { kind: 'Ingress', name: 'front' };
const WORKER = {
  matchLabels: { queue: 'worker', app: 'x' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }],
};

test.each<[string, MetricSpec, reason: string, text: string, error: string]>([
  [
    'use of a resource in parts of its request',
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
    'FailedGetResourceMetric',
    CPU,
    `failed to get cpu resource metric value: ${CPU}`,
  ],
  [
    'use of a resource by a container',
    {
      type: 'ContainerResource',
      containerResource: { name: 'memory', container: 'app', target: { type: 'AverageValue', averageValue: '1Gi' } },
    },
    'FailedGetContainerResourceMetric',
    MEMORY,
    `failed to get app container metric value: ${MEMORY}`,
  ],
  [
    'a metric of pods',
    { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '1k' } } },
    'FailedGetPodsMetric',
    `unable to get metric rps: ${NO_CUSTOM}`,
    `failed to get pods metric value: unable to get metric rps: ${NO_CUSTOM}`,
  ],
  [
    'of an object, by its value',
    {
      type: 'Object',
      object: { metric: { name: 'hits' }, describedObject: front, target: { type: 'Value', value: '2k' } },
    },
    'FailedGetObjectMetric',
    HITS,
    `failed to get object metric value: ${HITS}`,
  ],
  [
    'of an object, for each pod',
    {
      type: 'Object',
      object: {
        metric: { name: 'hits' },
        describedObject: front,
        target: { type: 'AverageValue', averageValue: '2k' },
      },
    },
    'FailedGetObjectMetric',
    HITS,
    `failed to get object metric value: failed to get hits object metric: ${HITS}`,
  ],
  [
    'from outside, by its value',
    { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '30' } } },
    'FailedGetExternalMetric',
    queue('nil'),
    `failed to get queue external metric value: failed to get external metric queue: ${queue('nil')}`,
  ],
  [
    'from outside, for each pod',
    {
      type: 'External',
      external: { metric: { name: 'queue', selector: WORKER }, target: { type: 'AverageValue', averageValue: '30' } },
    },
    'FailedGetExternalMetric',
    queue(
      '&LabelSelector{MatchLabels:map[string]string{app: x,queue: worker,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,Operator:In,Values:[a b],},},}',
    ),
    `failed to get queue external metric value: failed to get queue external metric: ${queue(
      '&LabelSelector{MatchLabels:map[string]string{app: x,queue: worker,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,Operator:In,Values:[a b],},},}',
    )}`,
  ],
])('%s', (_, metric, reason, text, error) => {
  const hpa = { metadata: { namespace: 'shop' }, spec: { metrics: [metric] } } as unknown as HorizontalPodAutoscaler;
  expect(findMetricFailures(hpa)).toEqual([{ reason, text, error }]);
});
