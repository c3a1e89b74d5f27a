import { expect, test } from '@jest/globals';
import type { MetricSpec, MetricStatus } from '../../../api/autoscaling_v2.js';
import { metricFromV1, metricToV1, statusFromV1, statusToV1, type V1Metric } from './metrics.js';

const selector = { matchLabels: { app: 'web' } };
const describedObject = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'web' };

test.each<[MetricSpec, V1Metric]>([
  [
    { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    { type: 'Resource', resource: { name: 'memory', targetAverageValue: '1Gi' } },
  ],
  [
    {
      type: 'ContainerResource',
      containerResource: { name: 'cpu', container: 'web', target: { type: 'Utilization', averageUtilization: 50 } },
    },
    { type: 'ContainerResource', containerResource: { name: 'cpu', container: 'web', targetAverageUtilization: 50 } },
  ],
  [
    { type: 'Pods', pods: { metric: { name: 'rps', selector }, target: { type: 'AverageValue', averageValue: '5' } } },
    { type: 'Pods', pods: { metricName: 'rps', selector, targetAverageValue: '5' } },
  ],
  [
    {
      type: 'Object',
      object: { describedObject, metric: { name: 'rps' }, target: { type: 'Value', value: '10' } },
    },
    { type: 'Object', object: { target: describedObject, metricName: 'rps', targetValue: '10' } },
  ],
  [
    { type: 'External', external: { metric: { name: 'queue', selector }, target: { type: 'Value', value: '10' } } },
    { type: 'External', external: { metricName: 'queue', metricSelector: selector, targetValue: '10' } },
  ],
])('the metric %j', (v2, v1) => {
  expect(metricToV1(v2)).toEqual(v1);
  expect(metricFromV1(v1)).toEqual(v2);
});

test.each<[MetricStatus, V1Metric]>([
  [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 9, averageValue: '90m' } } },
    { type: 'Resource', resource: { name: 'cpu', currentAverageUtilization: 9, currentAverageValue: '90m' } },
  ],
  [
    { type: 'Pods', pods: { metric: { name: 'rps' }, current: { averageValue: '5' } } },
    { type: 'Pods', pods: { metricName: 'rps', currentAverageValue: '5' } },
  ],
  [
    { type: 'Object', object: { describedObject, metric: { name: 'rps' }, current: { value: '4' } } },
    { type: 'Object', object: { target: describedObject, metricName: 'rps', currentValue: '4' } },
  ],
])('the status %j', (v2, v1) => {
  expect(statusToV1(v2)).toEqual(v1);
  expect(statusFromV1(v1)).toEqual(v2);
});
