import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import {
  DaemonSets,
  DeviceClasses,
  Pods,
  ResourceClaims,
  ResourceClaimTemplates,
  ResourceSlices,
} from '../../kinds/index.js';
import { ClusterBed } from '../../../testkit/beds/cluster-bed.js';

const DRIVER = 'gpu.example.com';
const expression = `device.driver == "${DRIVER}"`;
const devices = { requests: [{ name: 'gpu', exactly: { deviceClassName: DRIVER } }] };

class DeviceBed extends ClusterBed {
  constructor() {
    super();
    this.create(DeviceClasses, DRIVER, { spec: { selectors: [{ cel: { expression } }] } });
    this.create(ResourceSlices, 'worker-1-gpus', {
      spec: {
        driver: DRIVER,
        nodeName: 'worker-1',
        pool: { name: 'worker-1', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'gpu-0' }, { name: 'gpu-1' }],
      },
    });
    this.create(ResourceClaimTemplates, 'one-gpu', { spec: { spec: { devices } } });
  }

  driver(): void {
    const labels = { app: 'driver' };
    const volumes = [{ name: 'plugins', hostPath: { path: '/var/lib/kubelet/plugins_registry' } }];
    const env = [{ name: 'DRIVER_NAME', value: DRIVER }];
    const containers = [{ name: 'plugin', image: 'nginx:1.27', env }];
    this.create(DaemonSets, 'driver', {
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers, volumes } } },
    });
  }

  user(name: string, more: object = {}): Pod {
    const containers = [{ name: 'c', image: 'nginx:1.27', resources: { claims: [{ name: 'gpu' }] } }];
    const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }];
    return this.create(Pods, name, { spec: { containers, resourceClaims, terminationGracePeriodSeconds: 1, ...more } });
  }

  phase(name: string): string {
    const { spec, status } = this.get(Pods, name);
    return `${status.phase} ${spec.nodeName ?? status.conditions?.find(({ type }) => type === 'PodScheduled')?.message}`;
  }

  device(name: string): string | undefined {
    const claim = this.get(Pods, name).status.resourceClaimStatuses?.[0]?.resourceClaimName ?? '';
    return this.get(ResourceClaims, claim).status.allocation?.devices?.results?.[0]?.device;
  }
}

test('pods get devices of their own until there are none, and the next one those of one that has gone', () => {
  const bed = new DeviceBed();
  bed.driver();
  bed.at(20);
  for (const name of ['a', 'b', 'c']) bed.user(name);
  bed.at(30);
  expect([bed.phase('a'), bed.phase('b')]).toEqual(['Running worker-1', 'Running worker-1']);
  expect([bed.device('a'), bed.device('b')].sort()).toEqual(['gpu-0', 'gpu-1']);
  expect(bed.phase('c')).toMatch(
    /^Pending 0\/3 nodes are available: 1 node\(s\) had untolerated taint.*, 2 cannot allocate all claims\./,
  );
  const freed = bed.device('a');
  bed.client.delete(Pods, { namespace: 'default', name: 'a' });
  expect(bed.at(50).phase('c')).toBe('Running worker-1');
  expect(bed.device('c')).toBe(freed);
  expect(bed.client.list(ResourceClaims, 'default')).toHaveLength(2);
  expect(bed.errors).toEqual([]);
});

test('without its driver a device is not prepared; then it is', () => {
  const bed = new DeviceBed();
  bed.user('a');
  expect(bed.at(10).phase('a')).toBe('Pending worker-1');
  expect(bed.events('a')).toContain(
    'FailedPrepareDynamicResources: Failed to prepare dynamic resources: prepare dynamic resources: ' +
      `DRA driver ${DRIVER} is not registered`,
  );
  bed.driver();
  expect(bed.at(40).phase('a')).toBe('Running worker-1');
  expect(bed.errors).toEqual([]);
});

test('pods that name one claim share its devices, on its node', () => {
  const bed = new DeviceBed();
  bed.driver();
  bed.create(ResourceClaims, 'shared', { spec: { devices } });
  const resourceClaims = [{ name: 'gpu', resourceClaimName: 'shared' }];
  for (const name of ['a', 'b', 'c']) bed.user(name, { resourceClaims });
  bed.at(20);
  expect(['a', 'b', 'c'].map((name) => bed.phase(name))).toEqual(Array(3).fill('Running worker-1'));
  expect(bed.get(ResourceClaims, 'shared').status.reservedFor).toHaveLength(3);
  for (const name of ['a', 'b', 'c']) bed.client.delete(Pods, { namespace: 'default', name });
  bed.at(40);
  expect(bed.get(ResourceClaims, 'shared').status).toEqual({});
});
