import { expect, test } from '@jest/globals';
import type { Container, Pod } from '../../../api/core_v1.js';
import { findMemoryFailure } from './sandbox-memory.js';

const limited = (memory?: string): Container => ({
  name: 'c',
  ...(memory ? { resources: { limits: { memory } } } : {}),
});

test.each<[string, Pick<Pod['spec'], 'containers' | 'initContainers' | 'resources'>, boolean]>([
  ['100m', { containers: [limited('100m')] }, true],
  ['two of 4Ki', { containers: [limited('4Ki'), limited('4Ki')] }, true],
  ['64Mi', { containers: [limited('64Mi')] }, false],
  ['one without a limit', { containers: [limited('4Ki'), limited()] }, false],
  ['a larger init container', { containers: [limited('4Ki')], initContainers: [limited('64Mi')] }, false],
  ['4Ki of the pod', { containers: [limited('64Mi')], resources: { limits: { memory: '4Ki' } } }, true],
])('%s', (_case, spec, fails) => {
  const failure = findMemoryFailure({ metadata: { name: 'p', namespace: 'd' }, spec, status: {} } as unknown as Pod);
  expect(failure?.after?.('abc').includes('failed to start sandbox "abc"') ?? false).toBe(fails);
});
