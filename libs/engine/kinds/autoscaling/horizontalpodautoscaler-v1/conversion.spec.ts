import { describe, expect, test } from '@jest/globals';
import type { HorizontalPodAutoscaler } from '../../../api/autoscaling_v2.js';
import { make } from '../../testing.js';
import { kind as Autoscalers } from '../horizontalpodautoscaler/kind.js';
import { cpu, scaleTargetRef } from '../testing.js';
import { fromStorage, toStorage } from './conversion.js';
import { kind as V1Autoscalers } from './kind.js';

test('a CPU target is a field', () => {
  const v1 = make(V1Autoscalers, { spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 60 } });
  expect(toStorage(v1).spec.metrics).toEqual([cpu(60)]);
  expect(fromStorage(toStorage(v1)).spec).toEqual(v1.spec);
});

test('everything else survives the way there and back', () => {
  const v2: HorizontalPodAutoscaler = make(Autoscalers, {
    spec: {
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 3,
      behavior: { scaleUp: { selectPolicy: 'Min' } },
      metrics: [
        cpu(60),
        {
          type: 'External',
          external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '5' } },
        },
      ],
    },
    status: {
      desiredReplicas: 2,
      currentReplicas: 2,
      conditions: [{ type: 'AbleToScale', status: 'True' }],
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 9, averageValue: '90m' } } },
      ],
    },
  });
  expect(toStorage(fromStorage(v2))).toEqual(v2);
});

test('annotations of its own stay', () =>
  expect(
    toStorage(
      fromStorage(make(Autoscalers, { metadata: { annotations: { a: 'b' } }, spec: { metrics: [cpu(1), cpu(2)] } })),
    ).metadata.annotations,
  ).toEqual({ a: 'b' }));

describe('an annotation', () => {
  const convert = (annotations: Record<string, string>): unknown =>
    toStorage(make(V1Autoscalers, { metadata: { annotations } }));
  test.each([
    ['that is no JSON', { 'autoscaling.alpha.kubernetes.io/metrics': '{' }],
    ['that is no list', { 'autoscaling.alpha.kubernetes.io/metrics': '{}' }],
    ['that is no object', { 'autoscaling.alpha.kubernetes.io/behavior': '5' }],
  ])('%s is refused', (_, annotations) => expect(() => convert(annotations as never)).toThrow('cannot be converted'));
});
