import { describe, expect, test } from '@jest/globals';
import { errorsOf, updateErrors } from '../../testing.js';
import { cpu, scaleTargetRef } from '../testing.js';
import { kind } from './kind.js';

const NO_METRIC =
  'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas';

test.each<[string, object, string[]]>([
  ['that is good', { scaleTargetRef, maxReplicas: 1 }, []],
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
    'of a ReplicationController, which has no group',
    { scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'web' }, maxReplicas: 1 },
    [],
  ],
  [
    'of a version that is none',
    { scaleTargetRef: { ...scaleTargetRef, apiVersion: 'a/b/c' }, maxReplicas: 1 },
    ['spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
  ],
  [
    'from zero',
    { scaleTargetRef, minReplicas: 0, maxReplicas: 1 },
    ['spec.minReplicas: Invalid value: 0: must be greater than or equal to 1', NO_METRIC],
  ],
])('an autoscaler %s', (_, spec, errors) => expect(errorsOf(kind, { spec })).toEqual(errors));

test('one that is at zero already may stay there, with a metric for it', () => {
  const before = { spec: { scaleTargetRef, minReplicas: 0, maxReplicas: 1 } };
  expect(updateErrors(kind, before, before)).toEqual([NO_METRIC]);
});

describe('metrics', () => {
  const at = 'spec.metrics[0]';
  const UNKNOWN = `${at}.type: Unsupported value: "Moon": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"`;
  const metric = { name: 'rps' };
  test.each<[string, object, string[]]>([
    ['of an unknown type', { type: 'Moon' }, [UNKNOWN, UNKNOWN]],
    [
      'without their source',
      { type: 'Pods' },
      [`${at}.pods: Required value: must populate information for the given metric source`],
    ],
    [
      'with another source too',
      { ...cpu(50), pods: { metric, target: { type: 'AverageValue', averageValue: '1' } } },
      [`${at}.pods: Forbidden: must populate the given metric source only`],
    ],
    [
      'of an idle target',
      cpu(0),
      [`${at}.resource.target.averageUtilization: Invalid value: 0: must be greater than 0`],
    ],
    [
      'of a resource without a target',
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } },
      [
        `${at}.resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
      ],
    ],
    [
      'of a resource with two targets',
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1, averageValue: '1' } },
      },
      [`${at}.resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization`],
    ],
    [
      'of a target of an unknown type',
      { type: 'Pods', pods: { metric, target: { type: 'Some', averageValue: '1' } } },
      [`${at}.pods.target.type: Invalid value: "Some": must be either Utilization, Value, or AverageValue`],
    ],
    [
      'of pods without a target',
      { type: 'Pods', pods: { metric, target: { type: 'AverageValue' } } },
      [`${at}.pods.target.averageValue: Required value: must specify a positive target averageValue`],
    ],
    [
      'of less than nothing',
      { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '-1' } } },
      [`${at}.pods.target.averageValue: Invalid value: "-1": must be positive`],
    ],
    [
      'from outside, with two targets',
      { type: 'External', external: { metric, target: { type: 'Value', value: '1', averageValue: '1' } } },
      [`${at}.external.target.value: Forbidden: may not set both a target value for metric and a per-pod target`],
    ],
    [
      'from outside, without a name',
      { type: 'External', external: { metric: {}, target: { type: 'Value', value: '1' } } },
      [`${at}.external.metric.name: Required value: must specify a metric name`],
    ],
    [
      'of an object without a target',
      {
        type: 'Object',
        object: { metric, describedObject: { kind: 'Ingress', name: 'web' }, target: { type: 'Value' } },
      },
      [`${at}.object.target.averageValue: Required value: must set either a target value or averageValue`],
    ],
    [
      'of no container',
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
      },
      [`${at}.containerResource.container: Required value: must specify a container`],
    ],
    [
      'of a resource that containers do not have',
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'storage',
          container: 'web',
          target: { type: 'Utilization', averageUtilization: 50 },
        },
      },
      [`${at}.containerResource.name: Invalid value: "storage": must be a standard resource for containers`],
    ],
  ])('%s', (_, value, errors) =>
    expect(errorsOf(kind, { spec: { scaleTargetRef, maxReplicas: 1, metrics: [value] } })).toEqual(errors),
  );
});

describe('behaviour', () => {
  const at = 'spec.behavior.scaleDown';
  const policy = { type: 'Pods', value: 1, periodSeconds: 60 };
  test.each<[string, object, string[]]>([
    ['of a policy', { policies: [policy], selectPolicy: 'Min' }, []],
    [
      'with a long window',
      { stabilizationWindowSeconds: 3601 },
      [`${at}.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600`],
    ],
    [
      'with a window before now',
      { stabilizationWindowSeconds: -1 },
      [`${at}.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero`],
    ],
    [
      'that selects somehow',
      { selectPolicy: 'Any' },
      [`${at}.selectPolicy: Unsupported value: "Any": supported values: "Disabled", "Max", "Min"`],
    ],
    ['of no policies', { policies: [] }, [`${at}.policies: Required value: must specify at least one Policy`]],
    [
      'of a policy of nothing',
      { policies: [{ type: 'Cores', value: 0, periodSeconds: 0 }] },
      [
        `${at}.policies[0].type: Unsupported value: "Cores": supported values: "Percent", "Pods"`,
        `${at}.policies[0].value: Invalid value: 0: must be greater than zero`,
        `${at}.policies[0].periodSeconds: Invalid value: 0: must be greater than zero`,
      ],
    ],
    [
      'of a policy over more than half an hour',
      { policies: [{ ...policy, periodSeconds: 1801 }] },
      [`${at}.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800`],
    ],
    [
      'of less tolerance than none',
      { tolerance: '-1' },
      [`${at}.tolerance: Invalid value: "-1": must be greater than or equal to 0`],
    ],
  ])('%s', (_, scaleDown, errors) =>
    expect(errorsOf(kind, { spec: { scaleTargetRef, maxReplicas: 1, behavior: { scaleDown } } })).toEqual(errors),
  );
});
