import { expect, test } from '@jest/globals';
import { fitErrorMessage, preemptionMessage, type FitError } from './fit-error.js';
import { NodeInfo } from './cache/node-info.js';
import { unresolvable, unschedulable, type Rejection } from './plugin.js';

const fitError = (rejections: Rejection[], preFilterMessage?: string): FitError => ({
  nodes: rejections.length,
  rejections: new Map(rejections.map((rejection, i) => [new NodeInfo(`n${i}`), rejection])),
  filter: () => undefined,
  ...(preFilterMessage ? { preFilterMessage } : {}),
});
const CPU = unschedulable('Insufficient cpu');

test.each<[string, FitError, string | undefined, string]>([
  ['no nodes', fitError([]), undefined, 'no nodes available to schedule pods'],
  ['one reason', fitError([CPU, CPU]), undefined, '0/2 nodes are available: 2 Insufficient cpu.'],
  [
    'several reasons, sorted as text',
    fitError([CPU, unschedulable('Too many pods', 'Insufficient cpu'), unresolvable('node(s) were unschedulable')]),
    undefined,
    '0/3 nodes are available: 1 Too many pods, 1 node(s) were unschedulable, 2 Insufficient cpu.',
  ],
  [
    'the reason of PreFilter',
    fitError([unresolvable('x'), unresolvable('x')], 'persistentvolumeclaim "data" not found'),
    undefined,
    '0/2 nodes are available: persistentvolumeclaim "data" not found.',
  ],
  [
    'the result of preemption',
    fitError([CPU]),
    'preemption: x',
    '0/1 nodes are available: 1 Insufficient cpu. preemption: x',
  ],
])('%s', (_, error, postFilter, message) => expect(fitErrorMessage(error, postFilter)).toBe(message));

test.each<[number, Rejection[], string]>([
  [2, [CPU, CPU], '0/2 nodes are available: 2 Insufficient cpu.'],
  [2, [], '0/2 nodes are available:'],
])('preemption of %j', (nodes, outcomes, message) => expect(preemptionMessage(nodes, outcomes)).toBe(message));
