import { expect, test } from '@jest/globals';
import { TestMachine } from '../testing/run-tool.js';
import { lsmod, modprobe, swapoff, swapon } from './modules.js';

const run = (line: string) => new TestMachine({ lsmod, modprobe, swapoff, swapon }, {}).run(line);

test.each([
  ['modprobe overlay', '', 0],
  ['modprobe -a ip_vs ip_vs_rr nf-conntrack', '', 0],
  ['modprobe', 'modprobe: ERROR: missing parameters. See -h.\n', 1],
  ['modprobe nope', 'modprobe: FATAL: Module nope not found in directory /lib/modules/6.12.57+deb13-amd64\n', 1],
  ['modprobe -r overlay', 'modprobe: FATAL: Module overlay is in use.\n', 1],
  ['swapoff -a', '', 0],
  ['swapon --show', '', 0],
  ['swapon /dev/sdb', 'swapon: cannot open /dev/sdb: No such file or directory\n', 1],
  ['swapoff /dev/sdb', 'swapoff: /dev/sdb: swapoff failed: Invalid argument\n', 1],
])('%s', (line, stderr, code) => expect(run(line)).toEqual({ stdout: '', stderr, code }));

test('what is loaded is listed with what uses it', () =>
  expect(run('lsmod').stdout).toContain('\nbridge                389120  1 br_netfilter\n'));
