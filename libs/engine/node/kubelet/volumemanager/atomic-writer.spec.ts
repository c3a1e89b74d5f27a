import { expect, test } from '@jest/globals';
import { isSameVolume, layOut, type AtomicVolume } from './atomic-writer.js';

const AT = Date.UTC(2026, 0, 31, 12, 5, 6);
const lay = (volume: Partial<AtomicVolume>): Record<string, string> => {
  const files = layOut({ payload: {}, rootMode: 0o777, fsGroup: undefined, at: AT, seed: 's', ...volume });
  return Object.fromEntries(
    Object.entries(files).map(([path, f]) => [
      path.replace(/\.\d{10}/, '.N'),
      `${f.type} ${f.mode.toString(8)} ${f.user}:${f.group} ${(f.target ?? f.content ?? '').replace(/\.\d{10}$/, '.N')}`,
    ]),
  );
};

test('files stand in a folder of the time, behind links', () => {
  const file = { content: '1', mode: 0o644 };
  expect(lay({ payload: { a: file, 'deep/b': { ...file, mode: 0o400, user: 7 } } })).toEqual({
    '/': 'directory 777 0:0 ',
    '/..2026_01_31_12_05_06.N': 'directory 755 0:0 ',
    '/..data': 'link 777 0:0 ..2026_01_31_12_05_06.N',
    '/a': 'link 777 0:0 ..data/a',
    '/deep': 'link 777 0:0 ..data/deep',
    '/..2026_01_31_12_05_06.N/a': 'file 644 0:0 1',
    '/..2026_01_31_12_05_06.N/deep': 'directory 755 0:0 ',
    '/..2026_01_31_12_05_06.N/deep/b': 'file 400 7:0 1',
  });
});

test('the group of the volume may read all of it', () => {
  expect(lay({ payload: { a: { content: '', mode: 0o600 } }, rootMode: 0o1777, fsGroup: 1234 })).toMatchObject({
    '/': 'directory 3777 0:1234 ',
    '/..2026_01_31_12_05_06.N/a': 'file 640 0:1234 ',
  });
});

test('another content has another folder', () => {
  const folder = (content: string): string =>
    layOut({ payload: { a: { content, mode: 0o644 } }, rootMode: 0o777, fsGroup: undefined, at: AT, seed: 's' })[
      '/..data'
    ]!.target!;
  expect(folder('1')).not.toBe(folder('2'));
  expect(folder('1')).toBe(folder('1'));
});

const volume: AtomicVolume = {
  ...{ rootMode: 0o777, fsGroup: undefined, at: AT, seed: 's' },
  payload: { a: { content: '1', mode: 0o644 }, token: { content: 'x', version: '1', mode: 0o644 } },
};
const withFile = (name: string, change: object): AtomicVolume['payload'] => ({
  ...volume.payload,
  [name]: { ...volume.payload['a']!, ...change },
});

test.each<[boolean, string, Partial<AtomicVolume>]>([
  [true, 'nothing', {}],
  [true, 'a token of the same version', { payload: withFile('token', { content: 'y', version: '1' }) }],
  [false, 'a content', { payload: withFile('a', { content: '2' }) }],
  [false, 'a mode', { payload: withFile('a', { mode: 0o400 }) }],
  [false, 'a user', { payload: withFile('a', { user: 7 }) }],
  [false, 'a version', { payload: withFile('token', { content: 'x', version: '2' }) }],
  [false, 'a file that comes', { payload: withFile('b', {}) }],
  [false, 'a file that goes', { payload: { a: volume.payload['a']! } }],
  [false, 'the time of writing', { at: AT + 1 }],
  [false, 'a group', { fsGroup: 7 }],
  [false, 'the mode of its root', { rootMode: 0o1777 }],
])('%j that it is the same volume when another is %s', (expected, _what, change) => {
  expect(isSameVolume(volume, { ...volume, ...change })).toBe(expected);
});
