import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/** Of scripts/local/bundle.mjs, which has no types. */
interface Bundle {
  bundlePureLibraries(libs: string): Promise<void>;
  bundlePrograms(dist: string): Promise<void>;
}

const dist = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-bundle-'));
afterAll(() => fs.rmSync(dist, { recursive: true }));

const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
  fs.writeFileSync(path.join(dist, file), text);
};

const loadBundle = async () => (await import(path.resolve('scripts/local/bundle.mjs'))) as Bundle;

test('a bundled module that asks where its file is hears where it was, also one with a URL of its own', async () => {
  write('libs/a.js', 'const URL = /^x/; export const place = import.meta.url; export const is = URL.test("x");');
  write('libs/b.js', 'export const folder = import.meta.dirname;');
  const program = `export { place, is } from '../../libs/a.js'; export { folder } from '../../libs/b.js';`;
  for (const name of ['api/main', 'api/prepare', 'worker/main']) write(`apps/${name}.js`, program);
  write('package.json', '{"type": "module"}');
  await (await loadBundle()).bundlePrograms(dist);
  const { place, is, folder } = await import(path.join(dist, 'apps/worker/main.js'));
  expect({ place, is }).toEqual({ place: pathToFileURL(path.join(dist, 'libs/a.js')).href, is: true });
  expect(path.normalize(folder)).toBe(path.join(dist, 'libs'));
});

describe('objects that the pure libraries spread', () => {
  const SPREADS = `export const add = (a, b) => ({ first: 1, ...a, ...b, last: 2 });
    export const drop = ({ first, ...rest }) => rest;
    export const put = (a, key) => ({ ...a, [key]: 3 });`;
  let lib: {
    add(a?: unknown, b?: unknown): object;
    drop(a: object): object;
    put(a: object, key: string): object;
  };
  beforeAll(async () => {
    const libs = path.join(dist, 'pure');
    for (const name of ['engine', 'containers']) write(`pure/${name}/index.js`, SPREADS);
    await (await loadBundle()).bundlePureLibraries(libs);
    lib = await import(path.join(libs, 'engine/index.js'));
  });

  const SYMBOL = Symbol('key');
  const proto: object = JSON.parse('{"__proto__": {"x": 1}, "a": 1}');

  test.each<[string, () => object, object]>([
    ['keys in their order, the later value', () => lib.add({ a: 1, first: 5 }, { a: 2 }), { first: 5, a: 2, last: 2 }],
    ['nothing', () => lib.add(undefined, null), { first: 1, last: 2 }],
    ['a symbol', () => lib.add({ [SYMBOL]: 1 }), { first: 1, last: 2, [SYMBOL]: 1 }],
    ['the rest', () => lib.drop({ a: 1, first: 2, [SYMBOL]: 3 }), { a: 1, [SYMBOL]: 3 }],
    ['a key of the prototype’s name', () => lib.put(proto, 'b'), { ['__proto__']: { x: 1 }, a: 1, b: 3 }],
    ['such a key of the literal', () => lib.put({}, '__proto__'), { ['__proto__']: 3 }],
    ['such a key in the rest', () => lib.drop(proto), { ['__proto__']: { x: 1 }, a: 1 }],
  ])('%s', (_, spread, expected) => {
    expect(Reflect.ownKeys(spread())).toEqual(Reflect.ownKeys(expected));
    for (const key of Reflect.ownKeys(expected))
      expect(Object.getOwnPropertyDescriptor(spread(), key)).toEqual(Object.getOwnPropertyDescriptor(expected, key));
    expect(Object.getPrototypeOf(spread())).toBe(Object.prototype);
  });

  test('the same keys make the same hidden class', () => {
    v8.setFlagsFromString('--allow-natives-syntax');
    const haveSameMap = vm.compileFunction('return %HaveSameMap(a, b)', ['a', 'b']) as (
      a: object,
      b: object,
    ) => boolean;
    v8.setFlagsFromString('--no-allow-natives-syntax');
    const pods = Array.from({ length: 100 }, (_, i) => lib.put({ a: i, b: i }, 'status'));
    expect(pods.filter((pod) => !haveSameMap(pod, pods[50]!))).toEqual([]);
  });
});
