import { describe, expect, test } from '@jest/globals';
import { testCases } from '../../tools/testing/run-tool.js';
import { installers } from './install.js';
import { programs } from './index.js';
import { logLine, releaseOf } from './lines.js';

describe('the programs of the agent’s image', () => {
  testCases({ ...installers, ...programs }, [
    [
      'install-plugin',
      'Installing cilium-cni to /host/opt/cni/bin/ ...\n',
      { stderr: "install-plugin: mkdir: cannot create directory '/host/opt/cni/bin'\n", code: 1 },
    ],
    ['init-container', ''],
    [
      'cilium-cni',
      '{\n    "code": 4,\n    "msg": "required env variables [CNI_COMMAND] missing"\n}\n',
      { stderr: '', code: 1 },
    ],
    ['nsenter sh', '', { stderr: 'nsenter: no target PID specified\n', code: 1 }],
    [
      'nsenter --mount=/hostproc/1/ns/mnt /opt/cni/bin/cilium-sysctlfix',
      '',
      { stderr: 'nsenter: cannot open /hostproc/1/ns/mnt: No such file or directory\n', code: 1 },
    ],
    ['cilium-dbg bpf nat list', '', { stderr: 'Error: `cilium-dbg bpf nat list` is not simulated here\n', code: 1 }],
    ['hubble record', '', { stderr: 'Error: `hubble record` is not simulated here\n', code: 1 }],
    [
      'cilium-dbg status',
      '',
      {
        stderr:
          'Error: Cannot get status: Get "http://localhost/v1/status": dial unix /var/run/cilium/cilium.sock: connect: no such file or directory\nIs the agent running?\n',
        code: 1,
      },
    ],
  ]);
});

test.each([
  ['quay.io/cilium/cilium:v1.16.5', 'time="2026-01-01T12:00:00Z" level=info msg="Hello there" n=1 subsys=daemon'],
  [
    'quay.io/cilium/cilium:v1.18.4@sha256:0',
    'time=2026-01-01T12:00:00.000000000Z level=info msg="Hello there" module=daemon n=1',
  ],
])('a line of %s', (image, expected) => {
  expect(logLine(Date.UTC(2026, 0, 1, 12), image, 'daemon', 'Hello there', { n: '1' })).toBe(expected);
});

test('the release of an image', () => {
  expect(releaseOf('quay.io/cilium/cilium:v1.17.2')).toEqual([1, 17, 2]);
});
