import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { make } from '../../testing.js';
import { kind as PersistentVolumeClaims } from '../persistentvolumeclaim/kind.js';
import { kind as Pods } from '../pod/kind.js';
import { kind as Services } from '../service/kind.js';
import { kind } from './kind.js';
import { addUsage, isInScopes, usageOf, type Usage } from './usage.js';

const pod = (spec: object, status: object = {}): KubeObject =>
  make(Pods, { spec: { containers: [], ...spec }, status });
const service = (spec: object): KubeObject => make(Services, { spec });
const resources = (cpu: string): object => ({ resources: { requests: { cpu } } });

describe('usageOf', () => {
  test.each<[string, string, KubeObject, Usage]>([
    ['a ConfigMap', 'configmaps', make(Pods), { 'count/configmaps': '1', configmaps: '1' }],
    ['a Deployment', 'deployments.apps', make(Pods), { 'count/deployments.apps': '1' }],
    [
      'a pod: the containers together or the largest init container, and the overhead, which limits nothing by itself',
      'pods',
      pod({
        containers: [resources('500m'), { resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } } }],
        initContainers: [resources('2'), resources('1')],
        overhead: { cpu: '100m', memory: '100Mi' },
      }),
      {
        'count/pods': '1',
        pods: '1',
        cpu: '2100m',
        memory: '100Mi',
        'requests.memory': '100Mi',
        'requests.cpu': '2100m',
        'limits.memory': '1124Mi',
      },
    ],
    ['a pod that has ended', 'pods', pod({ containers: [resources('1')] }, { phase: 'Failed' }), { 'count/pods': '1' }],
    [
      'a service with node ports',
      'services',
      service({ type: 'NodePort', ports: [{}, {}] }),
      { 'count/services': '1', services: '1', 'services.nodeports': '2' },
    ],
    [
      'a load balancer without node ports',
      'services',
      service({ type: 'LoadBalancer', ports: [{}], allocateLoadBalancerNodePorts: false }),
      { 'count/services': '1', services: '1', 'services.loadbalancers': '1' },
    ],
    [
      'a claim of a class',
      'persistentvolumeclaims',
      make(PersistentVolumeClaims, { spec: { storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } } }),
      {
        'count/persistentvolumeclaims': '1',
        persistentvolumeclaims: '1',
        'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
        'requests.storage': '1Gi',
        'fast.storageclass.storage.k8s.io/requests.storage': '1Gi',
      },
    ],
  ])('%s', (_, resource, object, usage) => expect(usageOf(resource, object)).toEqual(usage));
});

test('amounts add up', () => {
  const sum: Usage = { pods: '1' };
  addUsage(sum, { pods: '2', 'requests.cpu': '500m' });
  expect(sum).toEqual({ pods: '3', 'requests.cpu': '500m' });
});

describe('inScopes', () => {
  const priority = (operator: string, values?: string[]): object => ({
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
  });
  test.each<[object, object, boolean]>([
    [{}, {}, true],
    [{ scopes: ['Terminating'] }, { activeDeadlineSeconds: 5 }, true],
    [{ scopes: ['Terminating'] }, {}, false],
    [{ scopes: ['NotTerminating'] }, {}, true],
    [{ scopes: ['BestEffort'] }, { containers: [{}] }, true],
    [{ scopes: ['BestEffort'] }, { containers: [resources('1')] }, false],
    [{ scopes: ['NotBestEffort'] }, { containers: [resources('1')] }, true],
    [{ scopes: ['NotBestEffort', 'Terminating'] }, { containers: [resources('1')] }, false],
    [priority('In', ['high']), { priorityClassName: 'high' }, true],
    [priority('NotIn', ['high']), { priorityClassName: 'high' }, false],
    [priority('Exists'), { priorityClassName: 'high' }, true],
    [priority('Exists'), {}, false],
    [priority('DoesNotExist'), {}, true],
  ])('a quota of %j counts a pod of %j: %s', (spec, podSpec, expected) =>
    expect(isInScopes(make(kind, { spec }), 'pods', pod(podSpec))).toBe(expected),
  );
  test('only pods are in scopes', () =>
    expect(isInScopes(make(kind, { spec: { scopes: ['NotTerminating'] } }), 'services', service({}))).toBe(false));
});
