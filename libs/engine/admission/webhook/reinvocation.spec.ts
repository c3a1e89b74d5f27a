import { expect, test } from '@jest/globals';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import type { AdmissionRequest } from '../../runtime/admission.js';
import { createRequest, objectOf } from '../testing.js';
import { ReinvocationContext } from './reinvocation.js';

const PLUGIN = 'MutatingAdmissionWebhook';
const request = (): ReturnType<typeof createRequest> => createRequest(ConfigMaps, { object: objectOf(ConfigMaps) });
/** The same request in its second round. */
const again = (first: AdmissionRequest, data: object = {}): AdmissionRequest => ({
  ...first,
  round: 1,
  object: objectOf(ConfigMaps, data),
});

test('all are called in the first round', () => {
  const first = request();
  expect(ReinvocationContext.of(first, PLUGIN).shouldInvoke(first, 'a')).toBe(true);
});

test.each<[string, [id: string, changed: boolean, reinvokable: boolean][], string[]]>([
  [
    'one that an other changes the object after',
    [
      ['a', false, true],
      ['b', true, false],
    ],
    ['a'],
  ],
  [
    'none that changes the object itself last',
    [
      ['a', false, false],
      ['b', true, true],
    ],
    [],
  ],
  [
    'none that is not to be called again',
    [
      ['a', true, false],
      ['b', true, false],
    ],
    [],
  ],
  [
    'both, where each changes the object after the other',
    [
      ['a', true, true],
      ['b', true, true],
      ['c', true, false],
    ],
    ['a', 'b'],
  ],
  [
    'none, where nothing changes',
    [
      ['a', false, true],
      ['b', false, true],
    ],
    [],
  ],
])('in the second round %s', (_, invocations, called) => {
  const first = request();
  const context = ReinvocationContext.of(first, PLUGIN);
  for (const [id, changed, reinvokable] of invocations) context.recordInvocation(first, id, changed, reinvokable);
  context.saveOutput(first);
  const second = again(first);
  const next = ReinvocationContext.of(second, PLUGIN);
  expect(['a', 'b', 'c'].filter((id) => next.shouldInvoke(second, id))).toEqual(called);
  expect(first.reinvocations).toBe(invocations.filter(([, changed]) => changed).length);
});

test('a change by another plug-in counts', () => {
  const first = request();
  const context = ReinvocationContext.of(first, PLUGIN);
  context.recordInvocation(first, 'a', false, true);
  context.saveOutput(first);
  const second = again(first, { data: { a: '1' } });
  expect(ReinvocationContext.of(second, PLUGIN).shouldInvoke(second, 'a')).toBe(true);
});

test('each plug-in has a context of its own', () => {
  const first = request();
  const context = ReinvocationContext.of(first, PLUGIN);
  expect(ReinvocationContext.of(first, PLUGIN)).toBe(context);
  expect(ReinvocationContext.of(first, 'MutatingAdmissionPolicy')).not.toBe(context);
});
