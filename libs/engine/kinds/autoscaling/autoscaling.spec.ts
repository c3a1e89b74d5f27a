import { describe, expect, test } from '@jest/globals';
import type { HorizontalPodAutoscaler } from '../../api/autoscaling_v2.js';
import { AGE, create, errorsOf, make, row } from '../testing.js';
import { fromStorage, toStorage } from './horizontalpodautoscaler-v1/conversion.js';
import { kind as V1Autoscalers } from './horizontalpodautoscaler-v1/kind.js';
import { kind as Autoscalers } from './horizontalpodautoscaler/kind.js';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const cpu = (averageUtilization: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

describe('a HorizontalPodAutoscaler', () => {
  test.each<[string, object, string[]]>([
    [
      'without a maximum',
      { scaleTargetRef },
      [
        'spec.maxReplicas: Required value: must be set and greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
    ],
    [
      'of nothing',
      { maxReplicas: 2 },
      [
        'spec.scaleTargetRef.kind: Required value',
        'spec.scaleTargetRef.name: Required value',
        'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
      ],
    ],
    [
      'from zero',
      { scaleTargetRef, minReplicas: 0, maxReplicas: 1 },
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [
      'of an unknown metric',
      { scaleTargetRef, maxReplicas: 1, metrics: [{ type: 'Moon' }] },
      Array<string>(2).fill(
        'spec.metrics[0].type: Unsupported value: "Moon": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ),
    ],
    [
      'of a metric without its source',
      { scaleTargetRef, maxReplicas: 1, metrics: [{ type: 'Pods' }] },
      ['spec.metrics[0].pods: Required value: must populate information for the given metric source'],
    ],
    [
      'of an idle target',
      { scaleTargetRef, maxReplicas: 1, metrics: [cpu(0)] },
      ['spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0'],
    ],
    [
      'with a long window',
      { scaleTargetRef, maxReplicas: 1, behavior: { scaleDown: { stabilizationWindowSeconds: 3601 } } },
      ['spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600'],
    ],
    ['that is good', { scaleTargetRef, maxReplicas: 1 }, []],
  ])('%s', (_, spec, errors) => expect(errorsOf(Autoscalers, { spec })).toEqual(errors));

  test('defaults its minimum, metrics and behaviour', () =>
    expect(create(Autoscalers, { spec: { scaleTargetRef, maxReplicas: 3, behavior: {} } }).spec).toEqual({
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [cpu(80)],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Max',
          policies: [
            { type: 'Pods', value: 4, periodSeconds: 15 },
            { type: 'Percent', value: 100, periodSeconds: 15 },
          ],
        },
        scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      },
    }));

  test('prints targets', () => {
    const metrics = [
      cpu(50),
      { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '100' } } },
      cpu(1),
    ];
    const hpa = make(Autoscalers, {
      spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 10, metrics },
      status: {
        currentReplicas: 2,
        currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7 } } }],
      },
    });
    expect(row(Autoscalers, hpa)).toEqual({
      Name: 'a',
      Reference: 'Deployment/web',
      Targets: 'cpu: 7%/50%, <unknown>/100 + 1 more...',
      MinPods: '1',
      MaxPods: 10,
      Replicas: 2,
      Age: AGE,
    });
  });
});

describe('as autoscaling/v1', () => {
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

  test('an annotation that is no JSON is refused', () =>
    expect(() =>
      toStorage(make(V1Autoscalers, { metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '{' } } })),
    ).toThrow('cannot be converted'));
});
