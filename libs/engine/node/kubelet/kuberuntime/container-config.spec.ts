import { expect, test } from '@jest/globals';
import type { Container } from '../../../api/core_v1.js';
import { FileTree } from '../../../kernel/files/tree.js';
import { container, pod } from '../testing.js';
import { cgroupLimitsOf, generateContainerConfig, type ContainerConfig } from './container-config.js';

const configOf = (
  own: Partial<Container>,
  more: Partial<ContainerConfig> = {},
): ReturnType<typeof generateContainerConfig> =>
  generateContainerConfig({
    pod: pod(),
    container: container('c', own),
    containerID: 'containerd://1',
    argv: ['echo', 'ü'],
    env: { A: '1' },
    workingDir: '',
    user: { user: 0, group: 0, groups: [] },
    root: new FileTree('root'),
    mounts: [],
    ...more,
  });

test('words become bytes; the runtime adds PATH and HOSTNAME, and a terminal TERM', () => {
  expect(configOf({ tty: true, stdin: true })).toMatchObject({
    argv: ['echo', 'Ã¼'],
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOSTNAME: 'web',
      A: '1',
      TERM: 'xterm',
    },
    cwd: '/',
    hostname: 'web',
    terminal: true,
    stdin: true,
    stdinOnce: false,
  });
});

test.each<[Container['resources'], object]>([
  [undefined, { cpuShares: 2, memoryLimit: undefined, cpuLimit: undefined }],
  [{ requests: { cpu: '500m', memory: '1Gi' } }, { cpuShares: 512, memoryLimit: undefined, cpuLimit: undefined }],
  [{ limits: { cpu: '2', memory: '64Mi' } }, { cpuShares: 2048, memoryLimit: 67_108_864, cpuLimit: 2000 }],
])('resources %j', (resources, expected) => {
  const { cpuShares, memoryLimit, cpuLimit } = configOf({ resources });
  expect({ cpuShares, memoryLimit, cpuLimit }).toEqual(expected);
});

test.each<[Container['securityContext'], string[], string[]]>([
  [undefined, ['CHOWN', 'KILL', 'NET_RAW'], ['NET_ADMIN', 'SYS_ADMIN']],
  [{ capabilities: { add: ['NET_ADMIN', 'CAP_SYS_TIME'] } }, ['NET_ADMIN', 'SYS_TIME', 'CHOWN'], ['SYS_ADMIN']],
  [{ capabilities: { drop: ['ALL'], add: ['net_bind_service'] } }, ['NET_BIND_SERVICE'], ['CHOWN', 'KILL']],
  [{ capabilities: { drop: ['CHOWN'] } }, ['KILL'], ['CHOWN']],
  [{ privileged: true }, ['SYS_ADMIN', 'NET_ADMIN', 'CHOWN'], []],
])('capabilities of %j', (securityContext, has, hasNot) => {
  const { capabilities } = configOf({ securityContext });
  expect(capabilities).toEqual(expect.arrayContaining(has));
  for (const name of hasNot) expect(capabilities).not.toContain(name);
});

test('allowPrivilegeEscalation: false keeps set-user-ID programs from giving rights', () => {
  expect(configOf({ securityContext: { allowPrivilegeEscalation: false } }).noNewPrivileges).toBe(true);
  expect(configOf({}).noNewPrivileges).toBe(false);
});

test.each([
  [
    'its own',
    { limits: { cpu: '500m', memory: '100Mi' } },
    { cpuLimit: 500, memoryLimit: 104_857_600, cpuShares: 512 },
  ],
  ['its pod’s', {}, { cpuLimit: 1_000, memoryLimit: 209_715_200, cpuShares: 1_024 }],
  ['one of each', { limits: { memory: '100Mi' } }, { cpuLimit: 1_000, memoryLimit: 104_857_600, cpuShares: 1_024 }],
  ['its request', { requests: { cpu: '250m' } }, { cpuLimit: 1_000, memoryLimit: 209_715_200, cpuShares: 256 }],
])('a container of a pod with limits has %s', (_title, resources, expected) => {
  expect(cgroupLimitsOf(resources, { limits: { cpu: '1', memory: '200Mi' } })).toEqual(expected);
});

test('without limits there are none', () => {
  expect(cgroupLimitsOf({}, {})).toEqual({ cpuShares: 2 });
});
