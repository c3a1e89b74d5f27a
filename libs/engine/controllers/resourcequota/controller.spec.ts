import { expect, it, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { ConfigMaps, Pods, ResourceQuotas, Services } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { controller } from './controller.js';

function bedWith(hard: { [name: string]: string }, scopes?: string[]): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(ResourceQuotas, 'few', { spec: { hard, ...(scopes ? { scopes } : {}) }, status: {} });
  return bed.settle();
}
const used = (bed: ControllerBed): object => bed.get(ResourceQuotas, 'few').status.used!;
const createPod = (bed: ControllerBed, name: string, requests: { [name: string]: string } = {}): void =>
  void bed.create(Pods, name, { spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests } }] } });

it('a quota says what is used', () => {
  const bed = bedWith({ configmaps: '5', pods: '2' });
  expect(bed.get(ResourceQuotas, 'few').status).toEqual({
    hard: { configmaps: '5', pods: '2' },
    used: { configmaps: '0', pods: '0' },
  });
  bed.create(ConfigMaps, 'settings');
  bed.create(ConfigMaps, 'more');
  bed.settle();
  expect(bed.get(ResourceQuotas, 'few').status).toEqual({
    hard: { configmaps: '5', pods: '2' },
    used: { configmaps: '2', pods: '0' },
  });
  bed.client.delete(ConfigMaps, { namespace: 'default', name: 'more' });
  bed.settle();
  expect(used(bed)).toEqual({ configmaps: '1', pods: '0' });
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

test('requests are added up; a pod that has ended counts no longer, but for count/pods', () => {
  const bed = bedWith({ pods: '9', 'requests.cpu': '4', 'requests.memory': '1Gi', 'count/pods': '9' });
  createPod(bed, 'a', { cpu: '250m', memory: '64Mi' });
  createPod(bed, 'b', { cpu: '1', memory: '64Mi' });
  bed.settle();
  expect(used(bed)).toEqual({ pods: '2', 'requests.cpu': '1250m', 'requests.memory': '128Mi', 'count/pods': '2' });
  bed.finish(bed.get(Pods, 'b'), 'Succeeded');
  bed.settle();
  expect(used(bed)).toEqual({ pods: '1', 'requests.cpu': '250m', 'requests.memory': '64Mi', 'count/pods': '2' });
});

test('a scope takes the pods that are in it', () => {
  const bed = bedWith({ pods: '9' }, ['BestEffort']);
  createPod(bed, 'a', { cpu: '250m' });
  createPod(bed, 'b');
  expect(used(bed.settle())).toEqual({ pods: '1' });
});

test('services are counted by their type', () => {
  const bed = bedWith({ services: '5', 'services.nodeports': '5', 'services.loadbalancers': '5' });
  const ports = [{ port: 80 }];
  bed.create(Services, 'inside', { spec: { ports } });
  bed.create(Services, 'outside', { spec: { ports, type: 'NodePort' } });
  expect(used(bed.settle())).toEqual({ services: '2', 'services.nodeports': '1', 'services.loadbalancers': '0' });
});

test.each<[string, object, string[]]>([
  ['pods', { kind: 'Pod' }, ['few']],
  ['configmaps', { kind: 'ConfigMap' }, []],
  ['events', { kind: 'Event' }, []],
])('what a quota does not count does not concern it: %s', (resource, object, names) => {
  const bed = bedWith({ pods: '9' });
  const changed = { ...object, metadata: { namespace: 'default', name: 'x' } } as KubeObject;
  const keys = controller.everything!.keys(changed, bed.state, undefined, false, resource);
  expect([...keys].map(({ name }) => name)).toEqual(names);
});
