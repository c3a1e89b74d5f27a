import { expect, test } from '@jest/globals';
import { namesOf } from './names.js';

test.each<[string, string[], [string, string[]][], string[]]>([
  ['size(pods) > 1', ['pods'], [], ['size', '_>_']],
  ['pods.exists(p, p.a == b)', ['pods', 'b'], [], ['_==_']],
  ["pod['a/b'].x == 1 && 'a/c' in pod", [], [['pod', ['a/b', 'a/c']]], ['_==_', '_[_]', '_&&_']],
  ["pod[?'a/b'].orValue(1) == 1", [], [['pod', ['a/b']]], []],
  ['pod[name]', ['pod', 'name'], [], ['_[_]']],
  ["pods.map(pod, pod['x'])", ['pods'], [], []],
  ['pods.exists(', [], [], []],
])('%s', (text, whole, entries, functions) => {
  const named = namesOf(text);
  expect([...named.whole]).toEqual(whole);
  expect([...named.entries].map(([name, keys]) => [name, [...keys]])).toEqual(entries);
  for (const name of functions) expect(named.functions).toContain(name);
});
