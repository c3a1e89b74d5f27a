import { describe, expect, test } from '@jest/globals';
import { containerErrors, podErrors, web } from '../../testing.js';

const ID = 'must be between 0 and 2147483647, inclusive';

describe('a container', () => {
  const at = 'spec.containers[0].securityContext';
  const PRINTED =
    '{"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}';
  test.each<[string, object, object, string[]]>([
    ['of a user', { runAsUser: 1000, runAsGroup: 0, procMount: 'Default' }, {}, []],
    [
      'of no user',
      { runAsUser: -1, runAsGroup: 2 ** 31 },
      {},
      [`${at}.runAsUser: Invalid value: -1: ${ID}`, `${at}.runAsGroup: Invalid value: 2147483648: ${ID}`],
    ],
    [
      'with an unknown /proc',
      { procMount: 'Some' },
      {},
      [`${at}.procMount: Unsupported value: "Some": supported values: "Default", "Unmasked"`],
    ],
    [
      "that sees all of /proc as the host's user",
      { procMount: 'Unmasked' },
      {},
      [`${at}.procMount: Invalid value: "Unmasked": \`hostUsers\` must be false to use \`Unmasked\``],
    ],
    ['that sees all of /proc as a user of its own', { procMount: 'Unmasked' }, { hostUsers: false }, []],
    [
      'that is privileged, but may not become so',
      { privileged: true, allowPrivilegeEscalation: false },
      {},
      [`${at}: Invalid value: ${PRINTED}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`],
    ],
  ])('%s', (_, securityContext, spec, errors) =>
    expect(containerErrors({ securityContext }, { ...spec })).toEqual(errors),
  );
});

describe('seccomp', () => {
  const at = 'spec.securityContext.seccompProfile';
  test.each<[object, string[]]>([
    [{ type: 'RuntimeDefault' }, []],
    [{ type: 'Localhost', localhostProfile: 'a/b.json' }, []],
    [{}, [`${at}.type: Required value: type is required when seccompProfile is set`]],
    [
      { type: 'Strict' },
      [`${at}.type: Unsupported value: "Strict": supported values: "Localhost", "RuntimeDefault", "Unconfined"`],
    ],
    [{ type: 'Localhost' }, [`${at}.localhostProfile: Required value: must be set when seccomp type is Localhost`]],
    [
      { type: 'Localhost', localhostProfile: '/a' },
      [`${at}.localhostProfile: Invalid value: "/a": must be a relative path`],
    ],
    [
      { type: 'Unconfined', localhostProfile: 'a' },
      [
        `${at}.localhostProfile: Invalid value: {"Type":"Unconfined","LocalhostProfile":"a"}: can only be set when seccomp type is Localhost`,
      ],
    ],
  ])('%j', (seccompProfile, errors) =>
    expect(podErrors({ containers: [web], securityContext: { seccompProfile } })).toEqual(errors),
  );
});

describe('AppArmor', () => {
  const at = 'spec.securityContext.appArmorProfile';
  test.each<[object, string[]]>([
    [{ type: 'RuntimeDefault' }, []],
    [{ type: 'Localhost', localhostProfile: 'a' }, []],
    [{}, [`${at}.type: Required value: type is required when appArmorProfile is set`]],
    [
      { type: 'Strict' },
      [`${at}.type: Unsupported value: "Strict": supported values: "Localhost", "RuntimeDefault", "Unconfined"`],
    ],
    [{ type: 'Localhost' }, [`${at}.localhostProfile: Required value: must be set when AppArmor type is Localhost`]],
    [
      { type: 'Localhost', localhostProfile: ' a' },
      [`${at}.localhostProfile: Invalid value: " a": must not be padded with whitespace`],
    ],
    [
      { type: 'Localhost', localhostProfile: 'a'.repeat(4096) },
      [`${at}.localhostProfile: Too long: may not be more than 4095 bytes`],
    ],
    [
      { type: 'Unconfined', localhostProfile: 'a' },
      [`${at}.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost`],
    ],
  ])('%#', (appArmorProfile, errors) =>
    expect(podErrors({ containers: [web], securityContext: { appArmorProfile } })).toEqual(errors),
  );
});

describe('a pod', () => {
  const at = 'spec.securityContext';
  test.each<[string, object, string[]]>([
    [
      'of no groups',
      { securityContext: { fsGroup: -1, supplementalGroups: [0, -1] } },
      [`${at}.fsGroup: Invalid value: -1: ${ID}`, `${at}.supplementalGroups[1]: Invalid value: -1: ${ID}`],
    ],
    [
      'with unknown policies',
      {
        securityContext: { fsGroupChangePolicy: 'Once', supplementalGroupsPolicy: 'Some', seLinuxChangePolicy: 'Flat' },
      },
      [
        `${at}.fsGroupChangePolicy: Unsupported value: "Once": supported values: "Always", "OnRootMismatch"`,
        `${at}.supplementalGroupsPolicy: Unsupported value: "Some": supported values: "Merge", "Strict"`,
        `${at}.seLinuxChangePolicy: Unsupported value: "Flat": supported values: "Recursive"`,
      ],
    ],
    [
      "of its own processes and the host's",
      { shareProcessNamespace: true, hostPID: true },
      [`${at}.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled`],
    ],
    [
      "of a user namespace of its own, and the host's others",
      { hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true },
      ['hostNetwork', 'HostPID', 'HostIPC'].map((field) => `spec.${field}: Forbidden: when \`hostUsers\` is false`),
    ],
  ])('%s', (_, spec, errors) => expect(podErrors({ containers: [web], ...spec })).toEqual(errors));
});

describe('sysctls', () => {
  const at = 'spec.securityContext.sysctls';
  test.each<[string[], object, string[]]>([
    [['kernel.shm_rmid_forced', 'net/ipv4/ip_forward'], {}, []],
    [[''], {}, [`${at}[0].name: Required value`]],
    [
      ['A'],
      {},
      [
        `${at}[0].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`,
      ],
    ],
    [['kernel.a', 'kernel.a'], {}, [`${at}[1].name: Duplicate value: "kernel.a"`]],
    [
      ['net.ipv4.a'],
      { hostNetwork: true },
      [`${at}[0].name: Invalid value: "net.ipv4.a": may not be specified when 'hostNetwork' is true`],
    ],
    [
      ['kernel.shmmax'],
      { hostIPC: true },
      [`${at}[0].name: Invalid value: "kernel.shmmax": may not be specified when 'hostIPC' is true`],
    ],
  ])('%j', (names, spec, errors) =>
    expect(
      podErrors({
        containers: [web],
        securityContext: { sysctls: names.map((name) => ({ name, value: '1' })) },
        ...spec,
      }),
    ).toEqual(errors),
  );
});
