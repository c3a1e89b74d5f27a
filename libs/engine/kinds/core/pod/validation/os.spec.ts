import { describe, expect, test } from '@jest/globals';
import { podErrors, web } from '../testing.js';

test.each<[object, string[]]>([
  [{ name: 'linux' }, []],
  [{}, ['spec.os.name: Required value']],
  [{ name: 'plan9' }, ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']],
])('the operating system %j', (os, errors) => expect(podErrors({ containers: [web], os })).toEqual(errors));

test('a Linux pod has no options of Windows', () =>
  expect(
    podErrors({
      os: { name: 'linux' },
      containers: [{ ...web, securityContext: { windowsOptions: {} } }],
      securityContext: { windowsOptions: {} },
    }),
  ).toEqual([
    'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
    'spec.containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
  ]));

describe('a Windows pod', () => {
  test.each<[string, object]>([
    ['spec.securityContext.runAsUser', { securityContext: { runAsUser: 1 } }],
    ['spec.securityContext.fsGroup', { securityContext: { fsGroup: 1 } }],
    ['spec.securityContext.seLinuxOptions', { securityContext: { seLinuxOptions: { user: 'a' } } }],
    ['spec.securityContext.seccompProfile', { securityContext: { seccompProfile: { type: 'Unconfined' } } }],
    ['spec.hostPID', { hostPID: true }],
    ['spec.hostUsers', { hostUsers: true }],
    ['spec.shareProcessNamespace', { shareProcessNamespace: true }],
    [
      'spec.containers[0].securityContext.privileged',
      { containers: [{ ...web, securityContext: { privileged: true } }] },
    ],
    [
      'spec.containers[0].securityContext.capabilities',
      { containers: [{ ...web, securityContext: { capabilities: {} } }] },
    ],
  ])('has no %s', (path, spec) =>
    expect(podErrors({ containers: [web], os: { name: 'windows' }, ...spec })).toEqual([
      `${path}: Forbidden: cannot be set for a windows pod`,
    ]),
  );
  test('may say how it runs there', () =>
    expect(
      podErrors({
        containers: [web],
        os: { name: 'windows' },
        securityContext: { windowsOptions: { runAsUserName: 'ContainerUser' } },
      }),
    ).toEqual([]));
});
