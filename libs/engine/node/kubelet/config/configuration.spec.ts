import { expect, test } from '@jest/globals';
import { readConfiguration } from './configuration.js';

test.each<[string, Record<string, unknown>, Record<string, string>, unknown]>([
  ['kubeadm’s file', { shutdownGracePeriod: '0s', maxPods: undefined, clusterDomain: 'cluster.local' }, {}, undefined],
  [
    'what a course sets',
    { maxPods: 5, evictionHard: { 'memory.available': '500Mi' }, allowedUnsafeSysctls: ['kernel.msg*'] },
    {},
    { maxPods: 5, evictionHard: { 'memory.available': '500Mi' }, allowedUnsafeSysctls: ['kernel.msg*'] },
  ],
  ['a quantity that YAML took for a number', { kubeReserved: { cpu: 1 } }, {}, { kubeReserved: { cpu: '1' } }],
  [
    'priorities',
    { shutdownGracePeriodByPodPriority: [{ priority: 10, shutdownGracePeriodSeconds: 5 }] },
    {},
    { shutdownGracePeriodByPodPriority: [{ priority: 10, shutdownGracePeriodSeconds: 5 }] },
  ],
  [
    'flags, which go first',
    { maxPods: 5 },
    {
      'max-pods': '7',
      'allowed-unsafe-sysctls': 'kernel.msg*,net.core.somaxconn',
      'eviction-hard': 'memory.available<1Gi,nodefs.available<10%',
      'kube-reserved': 'cpu=100m,memory=1Gi',
      'seccomp-default': 'true',
      'serialize-image-pulls': 'false',
    },
    {
      maxPods: 7,
      allowedUnsafeSysctls: ['kernel.msg*', 'net.core.somaxconn'],
      evictionHard: { 'memory.available': '1Gi', 'nodefs.available': '10%' },
      kubeReserved: { cpu: '100m', memory: '1Gi' },
      seccompDefault: true,
      serializeImagePulls: false,
    },
  ],
])('a kubelet acts on %s', (_, values, flags, configuration) =>
  expect(readConfiguration(values, new Map(Object.entries(flags)))).toEqual(configuration ? { configuration } : {}),
);

const INVALID = 'failed to validate kubelet configuration, error: invalid configuration:';

test.each([
  [
    { imageGCLowThresholdPercent: 90 },
    `${INVALID} imageGCLowThresholdPercent (--image-gc-low-threshold) 90 must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) 85, path: &TypeMeta{Kind:,APIVersion:,}`,
  ],
  [
    { maxPods: -1 },
    `${INVALID} maxPods (--max-pods) -1 must not be a negative number, path: &TypeMeta{Kind:,APIVersion:,}`,
  ],
  [
    { maxParallelImagePulls: 0 },
    `${INVALID} maxParallelImagePulls 0 must be a positive number, path: &TypeMeta{Kind:,APIVersion:,}`,
  ],
  [
    { serializeImagePulls: true, maxParallelImagePulls: 3 },
    `${INVALID} maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) set to false, path: &TypeMeta{Kind:,APIVersion:,}`,
  ],
  [{ serializeImagePulls: false, maxParallelImagePulls: 3 }, undefined],
  [{ evictionHard: { free: '5%' } }, 'failed to run Kubelet: unsupported eviction signal free'],
  [
    { cpuManagerPolicy: 'static' },
    'failed to run Kubelet: [cpumanager] unable to determine reserved CPU resources for static policy',
  ],
  [{ cpuManagerPolicy: 'none' }, undefined],
  [{ cpuManagerPolicy: 'static', kubeReserved: { cpu: '500m' } }, undefined],
  [{ cpuManagerPolicy: 'static', reservedSystemCPUs: '0,2-3' }, undefined],
  [{ reservedSystemCPUs: 'all' }, 'failed to run Kubelet: strconv.Atoi: parsing "all": invalid syntax'],
])('a kubelet with %j ends', (values, error) => {
  const read = readConfiguration(values);
  expect('failure' in read ? read.failure : undefined).toBe(error && `"command failed" err="${error}"`);
});

test('CPUs that are named are reserved by their number', () => {
  const read = readConfiguration({ reservedSystemCPUs: '0,2-3', kubeReserved: { cpu: '1', memory: '1Gi' } });
  expect(read).toMatchObject({ configuration: { kubeReserved: { cpu: '3', memory: '1Gi' } } });
});

test.each<[string, object, Record<string, string>, object]>([
  [
    'as kubeadm has it',
    { authentication: { anonymous: { enabled: false } }, authorization: { mode: 'Webhook' } },
    {},
    {},
  ],
  [
    'opened by the file',
    { authentication: { anonymous: { enabled: true } }, authorization: { mode: 'AlwaysAllow' } },
    {},
    { authentication: { anonymous: { enabled: true } }, authorization: { mode: 'AlwaysAllow' } },
  ],
  ['opened by a flag', {}, { 'anonymous-auth': 'true' }, { authentication: { anonymous: { enabled: true } } }],
  ['a file without sense', { authentication: null, authorization: 'x' }, {}, {}],
])('who reaches the port: %s', (_, values, flags, expected) => {
  const read = readConfiguration(values as Record<string, unknown>, new Map(Object.entries(flags)));
  expect('configuration' in read ? read.configuration : {}).toEqual(expected);
});
