import { expect, test } from '@jest/globals';
import type { Container, Pod } from '../../api/core_v1.js';
import type { Reader } from '../../machinery/client.js';
import { findInlineProblem } from './inline-volume.js';

const DRIVER = 'secrets-store.csi.k8s.io';
const plugin = (container: Partial<Container>, ready = 'True', path = '/var/lib/kubelet/plugins'): Pod =>
  ({
    metadata: { name: 'driver' },
    spec: { containers: [{ name: 'c', image: 'driver', ...container }], volumes: [{ name: 'p', hostPath: { path } }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
  }) as unknown as Pod;
const MISSING =
  'kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name secrets-store.csi.k8s.io not found in the list of registered CSI drivers';
const registered = { args: [`--kubelet-registration-path=/var/lib/kubelet/plugins/${DRIVER}/csi.sock`] };

test.each<[string, Pod[], string | undefined]>([
  ['nobody', [], MISSING],
  ['a driver by its flag', [plugin({ args: [`--drivername=${DRIVER}`] })], undefined],
  ['a driver by its registrar', [plugin(registered)], undefined],
  [
    'a driver by a variable',
    [plugin({ env: [{ name: 'DRIVER_REG_SOCK_PATH', value: registered.args[0]! }] })],
    undefined,
  ],
  ['a driver that is not ready', [plugin(registered, 'False')], MISSING],
  ['a pod that does not see the folder', [plugin(registered, 'True', '/data')], MISSING],
  ['another driver', [plugin({ args: ['--drivername=nfs.csi.k8s.io'] })], MISSING],
])('%s', (_title, pods, problem) => {
  const read = { byIndex: () => pods } as unknown as Reader;
  expect(findInlineProblem({ driver: DRIVER }, 'worker-1', read)).toBe(problem);
});
