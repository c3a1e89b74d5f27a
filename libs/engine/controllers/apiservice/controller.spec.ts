import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { APIServices, EndpointSlices, Services } from '../../kinds/index.js';
import { controller } from './controller.js';

const NAME = 'v1beta1.metrics.k8s.io';
const apiService = () => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: NAME },
  spec: {
    ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
    service: { namespace: 'kube-system', name: 'metrics-server' },
  },
});
const service = (port: number) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'metrics-server', namespace: 'kube-system' },
  spec: { ports: [{ name: 'https', port, targetPort: 'https' }] },
});
const slice = (ready: boolean) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    name: 'metrics-server-abc',
    namespace: 'kube-system',
    labels: { 'kubernetes.io/service-name': 'metrics-server' },
  },
  addressType: 'IPv4',
  ports: [{ name: 'https', port: 10250, protocol: 'TCP' }],
  endpoints: [{ addresses: ['10.244.1.2'], conditions: { ready } }],
});

test.each<[string, number | undefined, boolean | undefined, string]>([
  ['nothing', undefined, undefined, 'ServiceNotFound: service/metrics-server in "kube-system" is not present'],
  [
    'another port',
    80,
    undefined,
    'ServicePortError: service/metrics-server in "kube-system" is not listening on port 443',
  ],
  [
    'no endpoints',
    443,
    undefined,
    'EndpointsNotFound: cannot find endpointslices for service/metrics-server in "kube-system"',
  ],
  [
    'a server that is not ready',
    443,
    false,
    'MissingEndpoints: endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
  ],
  ['a server', 443, true, 'Passed: all checks passed'],
])('an APIService behind which there is %s', (_, port, ready, expected) => {
  const bed = new ControllerBed({ controllers: [controller] });
  if (port !== undefined) bed.client.create(Services, service(port) as never);
  if (ready !== undefined) bed.client.create(EndpointSlices, slice(ready) as never);
  bed.client.create(APIServices, apiService() as never);
  bed.settle(1_000);
  expect(bed.errors).toEqual([]);
  const [condition] = bed.client.get(APIServices, { namespace: '', name: NAME })!.status.conditions!;
  expect(`${condition!.reason}: ${condition!.message}`).toBe(expected);
  expect(condition!.status).toBe(ready === true ? 'True' : 'False');
});

test('it follows the Service', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.client.create(APIServices, apiService() as never);
  bed.settle(1_000);
  bed.client.create(Services, service(443) as never);
  bed.client.create(EndpointSlices, slice(true) as never);
  bed.settle(1_000);
  const stored = bed.client.get(APIServices, { namespace: '', name: NAME })!;
  expect(stored.status.conditions).toMatchObject([{ type: 'Available', status: 'True', reason: 'Passed' }]);
});
