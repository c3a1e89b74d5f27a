import { describe, expect, test } from '@jest/globals';
import { containerErrors } from '../../testing.js';

const volumes = [{ name: 'v' }, { name: 'disk', persistentVolumeClaim: { claimName: 'c' } }];
const mount = { name: 'v', mountPath: '/a' };

describe('mounts', () => {
  const at = 'spec.containers[0].volumeMounts';
  test.each<[string, object[], string[]]>([
    ['of a volume', [mount], []],
    ['of an unknown volume', [{ ...mount, name: 'html' }], [`${at}[0].name: Not found: "html"`]],
    [
      'of nothing, nowhere',
      [{}],
      [`${at}[0].name: Required value`, `${at}[0].name: Not found: ""`, `${at}[0].mountPath: Required value`],
    ],
    ['at one path', [mount, mount], [`${at}[1].mountPath: Invalid value: "/a": must be unique`]],
    [
      'of the whole host',
      [{ ...mount, subPath: '/b' }],
      [`${at}.subPath: Invalid value: "/b": must be a relative path`],
    ],
    [
      'out of the volume',
      [{ ...mount, subPathExpr: '../b' }],
      [`${at}.subPathExpr: Invalid value: "../b": must not contain '..'`],
    ],
    [
      'of two parts',
      [{ ...mount, subPath: 'b', subPathExpr: 'c' }],
      [`${at}[0].subPathExpr: Invalid value: "c": subPathExpr and subPath are mutually exclusive`],
    ],
    [
      'that spread both ways without privileges',
      [{ ...mount, mountPropagation: 'Bidirectional' }],
      [`${at}.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`],
    ],
    [
      'that spread somehow',
      [{ ...mount, mountPropagation: 'Up' }],
      [`${at}.mountPropagation: Unsupported value: "Up": supported values: "Bidirectional", "HostToContainer", "None"`],
    ],
    ['read-only all the way down', [{ ...mount, readOnly: true, recursiveReadOnly: 'Enabled' }], []],
    [
      'read-only all the way down, but not here',
      [{ ...mount, recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' }],
      [
        `${at}.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`,
        `${at}.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified`,
      ],
    ],
    [
      'of an unknown depth',
      [{ ...mount, recursiveReadOnly: 'Deep' }],
      [`${at}.recursiveReadOnly: Unsupported value: "Deep": supported values: "Disabled", "Enabled", "IfPossible"`],
    ],
  ])('%s', (_, volumeMounts, errors) => expect(containerErrors({ volumeMounts }, { volumes })).toEqual(errors));
});

describe('devices', () => {
  const at = 'spec.containers[0].volumeDevices';
  const device = { name: 'disk', devicePath: '/dev/a' };
  test.each<[string, object[], string[]]>([
    ['of a claim', [device], []],
    [
      'of another volume',
      [{ ...device, name: 'v' }],
      [
        `${at}[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
      ],
    ],
    ['of no volume', [{ ...device, name: 'gone' }], [`${at}[0].name: Not found: "gone"`]],
    [
      'twice',
      [device, device],
      [
        `${at}[1].name: Invalid value: "disk": must be unique`,
        `${at}[1].devicePath: Invalid value: "/dev/a": must be unique`,
      ],
    ],
    [
      'that climb',
      [{ ...device, devicePath: '/dev/../a' }],
      [`${at}[0].devicePath: Invalid value: "/dev/../a": can not contain backsteps ('..')`],
    ],
  ])('%s', (_, volumeDevices, errors) => expect(containerErrors({ volumeDevices }, { volumes })).toEqual(errors));

  test('that are mounts too', () =>
    expect(
      containerErrors({ volumeDevices: [device], volumeMounts: [{ name: 'disk', mountPath: '/dev/a' }] }, { volumes }),
    ).toEqual([
      'spec.containers[0].volumeMounts[0].name: Invalid value: "disk": must not already exist in volumeDevices',
      'spec.containers[0].volumeMounts[0].mountPath: Invalid value: "/dev/a": must not already exist as a path in volumeDevices',
      `${at}[0].name: Invalid value: "disk": must not already exist in volumeMounts`,
      `${at}[0].devicePath: Invalid value: "/dev/a": must not already exist as a path in volumeMounts`,
    ]));
});
