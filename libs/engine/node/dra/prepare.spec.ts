import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { pod, readerOf } from '../kubelet/testing.js';
import { registeredDrivers } from './drivers.js';
import { findDeviceProblem } from './prepare.js';

const WEB = pod({ resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }] });
const claim = (status: object): KubeObject =>
  ({ kind: 'ResourceClaim', metadata: { name: 'c', namespace: 'shop', uid: 'cu' }, spec: {}, status }) as never;
const allocation = { devices: { results: [{ request: 'r', driver: 'gpu.example.com', pool: 'p', device: 'd' }] } };
const reservedFor = [{ resource: 'pods', name: 'web', uid: 'u1' }];
const plugin = (container: object, ready = 'True', path = '/var/lib/kubelet/plugins_registry'): Pod =>
  pod(
    { containers: [{ name: 'plugin', ...container }] as never, volumes: [{ name: 'v', hostPath: { path } }] },
    { conditions: [{ type: 'Ready', status: ready }] },
    { name: 'driver', uid: 'u2' },
  );
const EXAMPLE = 'registry.k8s.io/dra-example-driver/dra-example-driver:v0.2.0';

test.each<[string, Pod, readonly string[]]>([
  ['an image that is known', plugin({ image: EXAMPLE }), ['gpu.example.com']],
  ['one that a flag renames', plugin({ image: EXAMPLE, args: ['--driver-name=a.b.io'] }), ['a.b.io']],
  [
    'a variable',
    plugin({ image: 'x:1', env: [{ name: 'DRIVER_NAME', value: 'gpu.example.com' }] }),
    ['gpu.example.com'],
  ],
  ['one that is not ready', plugin({ image: EXAMPLE }, 'False'), []],
  ['one that no kubelet finds', plugin({ image: EXAMPLE }, 'True', '/data'), []],
])('%s registers', (_case, driver, expected) =>
  expect([...registeredDrivers(readerOf(driver), 'worker-1')]).toEqual(expected),
);

const DRIVER = plugin({ image: EXAMPLE });
test.each<[string, Pod, readonly KubeObject[], string | undefined]>([
  ['no claim', pod(), [], undefined],
  ['a claim that is not there', WEB, [], 'fetch ResourceClaim c: resourceclaims.resource.k8s.io "c" not found'],
  [
    'a template without a claim yet',
    pod({ resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }] }),
    [],
    'pod "shop/web": ResourceClaim not created yet',
  ],
  ['a claim of others', WEB, [claim({ allocation })], 'pod web (u1) is not allowed to use ResourceClaim c (cu)'],
  ['no driver', WEB, [claim({ allocation, reservedFor })], 'DRA driver gpu.example.com is not registered'],
  ['its driver', WEB, [claim({ allocation, reservedFor }), DRIVER], undefined],
])('devices of a pod with %s', (_case, of, objects, expected) =>
  expect(findDeviceProblem(of, readerOf(...objects))).toBe(
    expected === undefined ? undefined : `Failed to prepare dynamic resources: prepare dynamic resources: ${expected}`,
  ),
);
