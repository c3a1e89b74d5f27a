import { expect, test } from '@jest/globals';
import type { PodSpec } from '../../../api/core_v1.js';
import { pod } from '../testing.js';
import { checkSysctls, sysctlsOf } from './allowlist.js';

const withSysctl = (name: string, more: Partial<PodSpec> = {}): ReturnType<typeof pod> =>
  pod({ securityContext: { sysctls: [{ name, value: '1' }] }, ...more });

test.each<[string, Partial<PodSpec>, string | undefined]>([
  ['kernel.shm_rmid_forced', {}, undefined],
  ['kernel/shm_rmid_forced', {}, undefined],
  ['net.ipv4.tcp_rmem', {}, undefined],
  ['kernel.msgmax', {}, 'forbidden sysctl: "kernel.msgmax" not allowlisted'],
  ['net/core/somaxconn', {}, 'forbidden sysctl: "net.core.somaxconn" not allowlisted'],
  [
    'kernel.shm_rmid_forced',
    { hostIPC: true },
    'forbidden sysctl: "kernel.shm_rmid_forced" not allowed with host ipc enabled',
  ],
  [
    'net.ipv4.tcp_syncookies',
    { hostNetwork: true },
    'forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host net enabled',
  ],
])('%s with %j', (name, more, message) => {
  const expected = message === undefined ? undefined : { reason: 'SysctlForbidden', message };
  expect(checkSysctls(withSysctl(name, more))).toEqual(expected);
});

test('a machine has the parameters of its pod', () => {
  expect(sysctlsOf(withSysctl('kernel/shm_rmid_forced'))).toEqual({ 'kernel.shm_rmid_forced': '1' });
  expect(sysctlsOf(pod())).toEqual({});
});

test.each([
  ['kernel.msgmax', {}, undefined],
  ['kernel.shmmax', {}, 'forbidden sysctl: "kernel.shmmax" not allowlisted'],
  ['net.core.somaxconn', {}, undefined],
  ['kernel.msgmax', { hostIPC: true }, 'forbidden sysctl: "kernel.msgmax" not allowed with host ipc enabled'],
  [
    'net.core.somaxconn',
    { hostNetwork: true },
    'forbidden sysctl: "net.core.somaxconn" not allowed with host net enabled',
  ],
])('of a kubelet that allows some, %s with %j', (name, more, message) =>
  expect(checkSysctls(withSysctl(name, more), ['kernel/msg*', 'net.core.somaxconn'])?.message).toBe(message),
);
