import { expect, test } from '@jest/globals';
import type { SecurityContext } from '../../../api/core_v1.js';
import { container, pod } from '../testing.js';
import { parseProfile, seccompFilterOf, type SeccompFilter } from './seccomp.js';

const PROFILES: Record<string, object> = {
  'no-mkdir.json': { defaultAction: 'SCMP_ACT_ALLOW', syscalls: [{ names: ['mkdir'], action: 'SCMP_ACT_ERRNO' }] },
  'old.json': { defaultAction: 'SCMP_ACT_ALLOW', syscalls: [{ name: 'chmod', action: 'SCMP_ACT_ERRNO' }] },
  'violation.json': { defaultAction: 'SCMP_ACT_ERRNO' },
  'audit.json': { defaultAction: 'SCMP_ACT_LOG' },
  'few.json': {
    defaultAction: 'SCMP_ACT_ERRNO',
    syscalls: [
      {
        names: [
          'execve',
          'mkdirat',
          'rmdir',
          'unlink',
          'rename',
          'link',
          'symlink',
          'mknod',
          'chroot',
          'kill',
          'socket',
        ],
        action: 'SCMP_ACT_ALLOW',
      },
    ],
  },
};
const read = (path: string): string | undefined => {
  const found = PROFILES[path.replace('/var/lib/kubelet/seccomp/', '')];
  return found && JSON.stringify(found);
};
const local = (localhostProfile: string): SecurityContext => ({
  seccompProfile: { type: 'Localhost', localhostProfile },
});
const FREE: SeccompFilter = { denied: [], deniesExec: false };

test.each<[string, SecurityContext, SecurityContext, boolean, SeccompFilter | undefined]>([
  ['nothing asked for', {}, {}, false, undefined],
  ['nothing asked for, of a kubelet with a default', {}, {}, true, FREE],
  ['RuntimeDefault', {}, { seccompProfile: { type: 'RuntimeDefault' } }, false, FREE],
  ['Unconfined', { seccompProfile: { type: 'Unconfined' } }, {}, true, undefined],
  ['privileged', { ...local('no-mkdir.json'), privileged: true }, {}, true, undefined],
  ['one call denied', local('no-mkdir.json'), {}, false, { denied: ['mkdir'], deniesExec: false }],
  ['the pod’s, in the old form', {}, local('old.json'), false, { denied: ['chmod'], deniesExec: false }],
  ['what is only logged', local('audit.json'), {}, false, FREE],
  ['few calls allowed', local('few.json'), {}, false, { denied: ['chmod', 'chown', 'utime'], deniesExec: false }],
])('%s', (_, own, shared, isDefault, expected) =>
  expect(
    seccompFilterOf(pod({ securityContext: shared }), container('c', { securityContext: own }), isDefault, read),
  ).toEqual(expected),
);

test('where nothing is allowed, no program starts', () =>
  expect(
    seccompFilterOf(pod(), container('c', { securityContext: local('violation.json') }), false, read)?.deniesExec,
  ).toBe(true));

test.each([
  ['{', 'unexpected end of JSON input'],
  ['profile', "invalid character 'p' looking for beginning of value"],
  ['{}', { defaultAction: '', syscalls: [] }],
])('%s', (text, expected) => expect(parseProfile(text)).toEqual(expected));
