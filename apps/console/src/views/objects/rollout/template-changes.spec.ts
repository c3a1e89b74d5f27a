import { expect, test } from '@jest/globals';
import { changesOf } from './template-changes.js';

const pod = (container: object, more: object = {}) => ({
  spec: { containers: [{ name: 'web', ...container }], ...more },
});

test.each<[string, unknown, unknown, string[]]>([
  ['nothing', pod({ image: 'a' }), pod({ image: 'a' }), []],
  ['an image', pod({ image: 'a:1' }), pod({ image: 'a:2' }), ['spec.containers[web].image: a:1 > a:2']],
  [
    'a variable that is new, and one that is another',
    pod({ env: [{ name: 'A', value: '1' }] }),
    pod({
      env: [
        { name: 'B', value: 'x' },
        { name: 'A', value: '2' },
      ],
    }),
    ['spec.containers[web].env[A].value: 1 > 2', 'spec.containers[web].env[B]:  > {"name":"B","value":"x"}'],
  ],
  ['a field that is gone', pod({}, { hostNetwork: true }), pod({}), ['spec.hostNetwork: true > ']],
  [
    'a list without names',
    pod({ args: ['a', 'b'] }),
    pod({ args: ['a', 'c'] }),
    ['spec.containers[web].args[1]: b > c'],
  ],
  ['another type', { a: 1 }, { a: { b: 1 } }, ['a: 1 > {"b":1}']],
])('%s', (_, before, after, lines) =>
  expect(changesOf(before, after).map((one) => `${one.path}: ${one.before} > ${one.after}`)).toEqual(lines),
);

test('of many, some; of what is long, its beginning', () => {
  const wide = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, 'x'.repeat(500)]));
  const changes = changesOf({}, wide);
  expect(changes).toHaveLength(20);
  expect(changes[0]!.after).toHaveLength(120);
});
