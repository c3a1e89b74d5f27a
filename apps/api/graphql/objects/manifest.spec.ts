import { expect, test } from '@jest/globals';
import { Refusal } from '@terrarium/platform';
import { parseManifest } from './manifest.js';

const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const list = { apiVersion: 'v1', kind: 'ConfigMapList', items: [object('a'), object('b')] };

test.each<[string, unknown, string[]]>([
  ['an object', object('a'), ['a']],
  ['an array of objects', [object('a'), object('b')], ['a', 'b']],
  ['a list', list, ['a', 'b']],
  ['JSON', JSON.stringify(object('a')), ['a']],
  [
    'YAML documents, empty ones too',
    `${['a', 'b'].map((n) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${n}}`).join('\n---\n---\n')}\n---\n`,
    ['a', 'b'],
  ],
])('%s', (_, manifest, names) => {
  expect(parseManifest(manifest).map((o) => o.metadata.name)).toEqual(names);
});

test.each<[string, unknown, string]>([
  ['nothing', '', 'the manifest has no objects'],
  ['an empty list', { ...list, items: [] }, 'the manifest has no objects'],
  ['text that is no YAML', 'a: [', 'the manifest cannot be read: '],
  ['a scalar', 'text', 'every object of the manifest needs apiVersion, kind and metadata'],
  ['null', null, 'every object of the manifest needs apiVersion, kind and metadata'],
  ['no kind', { apiVersion: 'v1', metadata: {} }, 'every object of the manifest needs apiVersion, kind and metadata'],
  [
    'no metadata',
    { apiVersion: 'v1', kind: 'Pod' },
    'every object of the manifest needs apiVersion, kind and metadata',
  ],
  ['too many objects', Array(201).fill(object('a')), 'a manifest may have at most 200 objects'],
  ['too long a text', 'x'.repeat(1_000_001), 'a manifest may have at most 1000000 characters'],
])('%s is refused', (_, manifest, message) => {
  let error: unknown;
  try {
    parseManifest(manifest);
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(Refusal);
  expect(error).toMatchObject({ status: 400, message: expect.stringMatching(`^${message}`) });
});

test('aliases that multiply are refused', () => {
  const lines = ['a0: &a0 [x, x]'];
  for (let i = 1; i < 12; i++) lines.push(`a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`);
  expect(() => parseManifest(lines.join('\n'))).toThrow('the manifest cannot be read: ');
});
