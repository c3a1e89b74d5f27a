import { describe } from '@jest/globals';
import { Dice } from '../fuzz/dice.js';
import { bySeconds, inSlices, killed, killedInMoments, testWays } from './runs.js';
import { makeWorkload, type TimedRequest, type Workload } from './workload.js';

const SEEDS = [1, 2, 3];
const MINUTES = 5;
const SECOND = 1_000;
const DRIVER = 'gpu.example.com';
const RESOURCES = '/apis/resource.k8s.io/v1';
const PODS = '/api/v1/namespaces/default/pods';

const made = (at: number, path: string, name: string, spec: object): TimedRequest => ({
  at: at * SECOND,
  method: 'POST',
  path,
  body: { metadata: { name }, spec },
});

const user = (at: number, name: string): TimedRequest =>
  made(at, PODS, name, {
    terminationGracePeriodSeconds: 2,
    resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }],
    containers: [{ name: 'c', image: 'nginx:1.27', resources: { claims: [{ name: 'gpu' }] } }],
  });

const pool = { name: 'worker-1', generation: 1, resourceSliceCount: 1 };
const devices = { requests: [{ name: 'gpu', exactly: { deviceClassName: DRIVER } }] };
const plugin = {
  containers: [{ name: 'plugin', image: 'nginx:1.27', env: [{ name: 'DRIVER_NAME', value: DRIVER }] }],
  volumes: [{ name: 'plugins', hostPath: { path: '/var/lib/kubelet/plugins_registry' } }],
};
const labels = { app: 'driver' };

/** An etcd without a leader, long enough for the API server to be started again and to give up. */
const LOST = made(20, '/apis/terrarium.dev/v1alpha1/faults', 'lost', { type: 'EtcdQuorumLoss', duration: '190s' });

const FAULTS = '/apis/terrarium.dev/v1alpha1/faults';

/** Nodes that boot, the control plane's too, while init containers run, and a pod that is deleted meanwhile. */
const BOOTS: readonly TimedRequest[] = [
  made(3, PODS, 'slow', {
    nodeName: 'worker-1',
    initContainers: [{ name: 'i', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 7'] }],
    containers: [{ name: 'c', image: 'nginx:1.27', readinessProbe: { httpGet: { port: 80 } } }],
  }),
  made(4, PODS, 'gone', { nodeName: 'worker-1', containers: [{ name: 'c', image: 'nginx:1.27' }] }),
  made(15, FAULTS, 'boot', { type: 'NodeReboot', target: { nodes: ['worker-1'] }, parameters: { takes: '20s' } }),
  { at: 20 * SECOND, method: 'DELETE', path: `${PODS}/gone` },
  made(40, FAULTS, 'again', { type: 'NodeReboot', target: { nodes: ['worker-1'] }, parameters: { takes: '60s' } }),
  made(70, FAULTS, 'control', { type: 'NodeReboot', target: { nodes: ['control-plane'] } }),
];

/** An etcd that ends, and with it the API server: leaders lose their leases. */
const ENDED = made(20, FAULTS, 'ended', { type: 'EtcdMemberDown', duration: '50s' });

/** Two devices, four pods that ask for one, a driver that comes late. */
const DEVICES: readonly TimedRequest[] = [
  user(1, 'early'),
  made(3, `${RESOURCES}/deviceclasses`, DRIVER, {
    selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }],
  }),
  made(4, `${RESOURCES}/namespaces/default/resourceclaimtemplates`, 'one-gpu', { spec: { devices } }),
  made(6, `${RESOURCES}/resourceslices`, 'gpus', {
    ...{ driver: DRIVER, nodeName: 'worker-1', pool },
    devices: [{ name: 'gpu-0' }, { name: 'gpu-1' }],
  }),
  user(7, 'a'),
  user(8, 'b'),
  made(19, '/apis/apps/v1/namespaces/default/daemonsets', 'driver', {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: plugin },
  }),
  { at: 60 * SECOND, method: 'DELETE', path: `${PODS}/a` },
  user(65, 'c'),
  { at: 90 * SECOND, method: 'DELETE', path: `${PODS}/early` },
];

function workloadWith(seed: number, own: readonly TimedRequest[]): Workload {
  const workload = makeWorkload(new Dice(seed), MINUTES);
  return { ...workload, requests: [...workload.requests, ...own].sort((a, b) => a.at - b.at) };
}

describe.each([
  ['a store that is lost', [LOST]],
  ['a store that has ended', [ENDED]],
  ['nodes that boot', BOOTS],
  ['devices', DEVICES],
])('%s', (_title, own) => {
  describe.each(SEEDS)('seed %i', (seed) => {
    const workload = workloadWith(seed, own);
    testWays(seed, workload, {
      'is the same at once and second by second': bySeconds,
      'and in slices at random moments': inSlices(new Dice(seed)),
      'and by processes that die': killed(new Dice(seed)),
      'also in the middle of a moment': killedInMoments(new Dice(seed)),
    });
  });
});
