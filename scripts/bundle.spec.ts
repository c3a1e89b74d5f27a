import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';

/** Of scripts/local/bundle.mjs, which has no types. */
interface Bundle {
  bundlePrograms(dist: string): Promise<void>;
}

const dist = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-bundle-'));
afterAll(() => fs.rmSync(dist, { recursive: true }));

const write = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
  fs.writeFileSync(path.join(dist, file), text);
};

test('a bundled module that asks where its file is hears where it was, also one with a URL of its own', async () => {
  write('libs/a.js', 'const URL = /^x/; export const place = import.meta.url; export const is = URL.test("x");');
  write('libs/b.js', 'export const folder = import.meta.dirname;');
  const program = `export { place, is } from '../../libs/a.js'; export { folder } from '../../libs/b.js';`;
  for (const name of ['api/main', 'api/prepare', 'worker/main']) write(`apps/${name}.js`, program);
  write('package.json', '{"type": "module"}');
  const { bundlePrograms } = (await import(path.resolve('scripts/local/bundle.mjs'))) as Bundle;
  await bundlePrograms(dist);
  const { place, is, folder } = await import(path.join(dist, 'apps/worker/main.js'));
  expect({ place, is }).toEqual({ place: pathToFileURL(path.join(dist, 'libs/a.js')).href, is: true });
  expect(path.normalize(folder)).toBe(path.join(dist, 'libs'));
});
