import { expect, test } from '@jest/globals';
import type { Program } from '../../engine/kernel/process/program.js';
import { programs as coreutils } from '../tools/coreutils/index.js';
import { TestMachine } from '../tools/testing/run-tool.js';
import { makeMultiCall } from './multi-call.js';

const applets = new Map(['echo', 'cat'].map((name): [string, Program] => [name, coreutils[`busybox:${name}`]!]));
const busybox = makeMultiCall(applets) as unknown as Program;
const machine = () => new TestMachine({ busybox, echo: busybox, nope: busybox });

test.each([
  ['busybox echo a b', { stdout: 'a b\n', stderr: '', code: 0 }],
  ['echo a | busybox cat', { stdout: 'a\n', stderr: '', code: 0 }],
  ['busybox --list', { stdout: 'cat\necho\n', stderr: '', code: 0 }],
  ['busybox foo', { stdout: '', stderr: 'foo: applet not found\n', code: 127 }],
  ['nope', { stdout: '', stderr: 'nope: applet not found\n', code: 127 }],
])('%s', (line, outcome) => expect(machine().run(line)).toEqual(outcome));
