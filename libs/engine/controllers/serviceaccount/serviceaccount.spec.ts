import { expect, it } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/controller-bed.js';
import { ConfigMaps, Events, Namespaces, ResourceQuotas, ServiceAccounts } from '../../kinds/index.js';
import { controller as eventttl } from '../eventttl/controller.js';
import { controller as resourcequota } from '../resourcequota/controller.js';
import { controller as rootca } from '../rootca/controller.js';
import { controller } from './controller.js';

const make = (): ControllerBed => {
  const bed = new ControllerBed({ controllers: [controller, rootca, resourcequota, eventttl] });
  bed.client.create(ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' },
    data: { 'ca.crt': 'PEM' },
  });
  bed.client.create(Namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop' },
    spec: {},
    status: {},
  });
  return bed.settle();
};

it('a namespace has its service account and the CA, and gets them back', () => {
  const bed = make();
  for (let i = 0; i < 2; i++) {
    expect(names(bed.client.list(ServiceAccounts, 'shop'))).toEqual(['default']);
    expect(bed.get(ConfigMaps, 'kube-root-ca.crt', 'shop').data).toEqual({ 'ca.crt': 'PEM' });
    bed.client.delete(ServiceAccounts, { namespace: 'shop', name: 'default' });
    bed.client.delete(ConfigMaps, { namespace: 'shop', name: 'kube-root-ca.crt' });
    bed.settle();
  }
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

it('a quota says what is used', () => {
  const bed = make();
  bed.client.create(ResourceQuotas, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'few', namespace: 'shop' },
    spec: { hard: { configmaps: '5', pods: '2' } },
    status: {},
  });
  bed.client.create(ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'shop' },
  });
  bed.settle();
  expect(bed.get(ResourceQuotas, 'few', 'shop').status).toEqual({
    hard: { configmaps: '5', pods: '2' },
    used: { configmaps: '2', pods: '0' },
  });
});

it('events are gone an hour after they were last seen', () => {
  const bed = make();
  const at = new Date(bed.state.now).toISOString().replace('.000Z', 'Z');
  bed.client.create(Events, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'p' },
    reason: 'Test',
    firstTimestamp: at,
    lastTimestamp: at,
    type: 'Normal',
    source: {},
  });
  bed.settle(seconds(3599));
  expect(bed.client.list(Events)).toHaveLength(1);
  bed.settle(seconds(61));
  expect(bed.client.list(Events)).toHaveLength(0);
});
