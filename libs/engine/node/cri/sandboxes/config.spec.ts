import { expect, test } from '@jest/globals';
import { readContainerConfig, readSandboxConfig } from './config.js';

const METADATA = { name: 'nginx-sandbox', namespace: 'default', attempt: 1, uid: 'u' };

test('a PodSandboxConfig says names and namespaces of the node', () =>
  expect(
    readSandboxConfig({
      metadata: METADATA,
      log_directory: '/tmp',
      hostname: 'box',
      labels: { a: 'b' },
      linux: { security_context: { namespace_options: { network: 2, pid: 1 } } },
    }),
  ).toEqual({
    config: { ...METADATA, labels: { a: 'b' }, annotations: {}, logDirectory: '/tmp' },
    spec: { hostNetwork: true, hostname: 'box' },
  }));

test('a ContainerConfig is a container whose mounts are paths of the node', () => {
  const { container, volumes, ...rest } = readContainerConfig(
    {
      metadata: { name: 'busybox' },
      image: { image: 'busybox' },
      command: ['top'],
      log_path: 'busybox.0.log',
      envs: [{ key: 'A', value: '1' }],
      mounts: [{ container_path: '/data', host_path: '/srv', readonly: true }],
      linux: {
        resources: { memory_limit_in_bytes: 1_048_576, cpu_quota: 50_000, cpu_period: 100_000 },
        security_context: { privileged: true, run_as_user: { value: 7 } },
      },
    },
    'c0',
  );
  expect(rest).toEqual({
    ...{ name: 'busybox', attempt: 0, image: 'busybox', labels: {}, annotations: {}, logPath: 'busybox.0.log' },
  });
  expect(container).toEqual({
    command: ['top'],
    env: [{ name: 'A', value: '1' }],
    securityContext: { privileged: true, runAsUser: 7 },
    resources: { limits: { memory: '1048576', cpu: '500m' } },
    volumeMounts: [{ name: 'c0-0', mountPath: '/data', readOnly: true }],
  });
  expect(volumes).toEqual([{ name: 'c0-0', hostPath: { path: '/srv', type: '' } }]);
});

test.each([
  ['what is no object', { metadata: 'x', linux: 7, labels: ['a'] }],
  ['nothing', {}],
])('%s leaves a config without names', (_, body) =>
  expect(readSandboxConfig(body).config).toMatchObject({ name: '', namespace: '', uid: '', attempt: 0 }),
);
