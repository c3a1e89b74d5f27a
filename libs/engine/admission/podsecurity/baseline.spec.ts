import { describe, expect, test } from '@jest/globals';
import type { PodSpec } from '../../api/core_v1.js';
import { detailText, evaluatePod, type Level } from './policy.js';

const c = (name: string, securityContext?: object, more: object = {}): object => ({
  name,
  image: 'x',
  ...(securityContext ? { securityContext } : {}),
  ...more,
});
const found = (level: Level, spec: object, version = 'latest', annotations: Record<string, string> = {}): string =>
  detailText(
    evaluatePod({ level, version }, { metadata: { annotations }, spec: { containers: [c('a')], ...spec } as PodSpec }),
  );

describe('baseline forbids', () => {
  test.each<[string, object, string]>([
    ['nothing of a plain pod', {}, ''],
    [
      'privileged containers',
      { containers: [c('a', { privileged: true }), c('b', { privileged: true })] },
      'privileged (containers "a", "b" must not set securityContext.privileged=true)',
    ],
    [
      'of init containers, too',
      { initContainers: [c('i', { privileged: true })] },
      'privileged (container "i" must not set securityContext.privileged=true)',
    ],
    [
      'host namespaces',
      { hostNetwork: true, hostPID: true, hostIPC: true },
      'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
    ],
    ['host paths', { volumes: [{ name: 'v', hostPath: { path: '/' } }] }, 'hostPath volumes (volume "v")'],
    [
      'host ports',
      {
        containers: [
          c('a', undefined, { ports: [{ hostPort: 80 }, { hostPort: 90 }] }),
          c('b', undefined, { ports: [{ hostPort: 80 }] }),
        ],
      },
      'hostPort (containers "a", "b" use hostPorts 80, 90)',
    ],
    [
      'capabilities beyond the default',
      { containers: [c('a', { capabilities: { add: ['CHOWN', 'SYS_TIME', 'NET_RAW'] } })] },
      'non-default capabilities (container "a" must not include "NET_RAW", "SYS_TIME" in securityContext.capabilities.add)',
    ],
    [
      'probes of other hosts',
      { containers: [c('a', undefined, { livenessProbe: { httpGet: { host: '127.0.0.1', port: 80 } } })] },
      'probe or lifecycle host (container "a" uses probe or lifecycle host "127.0.0.1")',
    ],
    [
      'unmasked /proc',
      { containers: [c('a', { procMount: 'Unmasked' })] },
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      'odd SELinux options',
      {
        securityContext: { seLinuxOptions: { type: 'odd', user: 'u' } },
        containers: [c('a', { seLinuxOptions: { role: 'r' } })],
      },
      'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: type "odd"; user may not be set; role may not be set)',
    ],
    [
      'unconfined system calls',
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      'unsafe sysctls',
      {
        securityContext: {
          sysctls: [
            { name: 'kernel.msgmax', value: '1' },
            { name: 'net.ipv4.tcp_rmem', value: '1' },
          ],
        },
      },
      'forbidden sysctls (kernel.msgmax)',
    ],
    [
      'unconfined AppArmor',
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
      'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
    ],
    [
      'host processes',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
    ],
    [
      'all of it, in order',
      { hostPID: true, containers: [c('a', { privileged: true, capabilities: { add: ['ALL'] } })] },
      'non-default capabilities (container "a" must not include "ALL" in securityContext.capabilities.add), host namespaces (hostPID=true), privileged (container "a" must not set securityContext.privileged=true)',
    ],
  ])('%s', (_, spec, text) => expect(found('baseline', spec)).toBe(text));
});

test('older versions forbid less', () => {
  const spec = {
    containers: [c('a', undefined, { livenessProbe: { tcpSocket: { host: 'h' } } })],
    securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '1' }] },
  };
  expect(found('baseline', spec, 'v1.33')).toBe('');
  expect(found('baseline', spec, 'v1.31')).toBe('forbidden sysctls (net.ipv4.tcp_rmem)');
});
test('annotations count, too', () =>
  expect(
    found('baseline', {}, 'latest', { 'container.apparmor.security.beta.kubernetes.io/a': 'unconfined' }),
  ).toContain('forbidden AppArmor profile (annotation "container.apparmor.security.beta.kubernetes.io/a"'));
