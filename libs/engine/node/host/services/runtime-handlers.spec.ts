import { expect, test } from '@jest/globals';
import { CP, diskOf } from '../testing.js';
import { CONTAINERD_CONFIG_FILE, readHandlers, shimOf } from './runtime-handlers.js';

const V3 = 'version = 3\n[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runsc]\n';
const V2 = 'version = 2\n[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runsc]\n';
const RUNSC = '  runtime_type = "io.containerd.runsc.v1"\n';
const runc = 'io.containerd.runc.v2';
const both = { runc, runsc: 'io.containerd.runsc.v1' };

test.each<[string, Record<string, string | null>, ReturnType<typeof readHandlers>]>([
  ['as the node was set up', {}, undefined],
  ['without a file', { [CONTAINERD_CONFIG_FILE]: null }, { runc }],
  ['with a handler of version 3', { [CONTAINERD_CONFIG_FILE]: V3 + RUNSC }, both],
  ['with a handler of version 2', { [CONTAINERD_CONFIG_FILE]: V2 + RUNSC }, both],
  ['in single quotes', { [CONTAINERD_CONFIG_FILE]: (V3 + RUNSC).replaceAll('"', "'") }, both],
  [
    'with version 2’s table in a file of version 3',
    { [CONTAINERD_CONFIG_FILE]: V2.replace('2', '3') + RUNSC },
    { runc },
  ],
  ['with a table that is commented out', { [CONTAINERD_CONFIG_FILE]: V3.replace('[', '#[') + RUNSC }, { runc }],
  [
    'with options below a handler',
    { [CONTAINERD_CONFIG_FILE]: `${V3}${RUNSC}${V3.split('\n')[1]!.replace(']', '.options]')}\n  TypeUrl = "x"\n` },
    both,
  ],
  [
    'with a file that is imported',
    {
      [CONTAINERD_CONFIG_FILE]: 'version = 3\nimports = ["/etc/containerd/conf.d/*.toml"]\n',
      '/etc/containerd/conf.d/gvisor.toml': V3 + RUNSC,
      '/etc/containerd/conf.d/README': V3.replace('runsc', 'kata'),
    },
    both,
  ],
])('handlers of containerd %s', (_case, changes, expected) =>
  expect(readHandlers(diskOf(CP, changes))).toEqual(expected),
);

test.each([
  ['io.containerd.runsc.v1', 'containerd-shim-runsc-v1'],
  ['io.containerd.kata-qemu.v2', 'containerd-shim-kata-qemu-v2'],
  ['runsc', undefined],
])('the shim of %s is %s', (runtime, expected) => expect(shimOf(runtime)).toBe(expected));
