import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { ConsoleFiles } from './console-files.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-console-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
fs.mkdirSync(path.join(folder, 'assets'));
for (const name of ['index.html', 'assets/a.js', 'assets/a.js.br', 'assets/a.js.gz', 'assets/b.svg'])
  fs.writeFileSync(path.join(folder, name), name);
const files = new ConsoleFiles(folder);

test.each([
  ['a.js', 'gzip, deflate, br', 'br', 'assets/a.js.br'],
  ['a.js', 'gzip', 'gzip', 'assets/a.js.gz'],
  ['a.js', '', undefined, 'assets/a.js'],
  ['b.svg', 'gzip, br', undefined, 'assets/b.svg'],
])('%s for who accepts "%s" is %s', (name, accepted, encoding, body) => {
  const file = files.asset(name, accepted)!;
  expect([file.encoding, file.body.toString()]).toEqual([encoding, body]);
});

test.each(['none.js', '../index.html', '..%2findex.html', ''])('there is no asset "%s"', (name) =>
  expect(files.asset(name, 'br')).toBeUndefined(),
);

test('a build that is not there has no page', () => {
  expect(files.page('/')).toBe('index.html');
  expect(new ConsoleFiles(path.join(folder, 'none')).page('/')).toBeUndefined();
});

test('the page names ahead what its view needs', () => {
  const built = path.join(folder, 'built');
  fs.mkdirSync(path.join(built, '.vite'), { recursive: true });
  fs.writeFileSync(path.join(built, 'index.html'), '<head></head>');
  const manifest = { 'src/views/clusters/index.tsx': { file: 'assets/c.js' } };
  fs.writeFileSync(path.join(built, '.vite/manifest.json'), JSON.stringify(manifest));
  expect(new ConsoleFiles(built).page('/')).toBe('<head><link rel="modulepreload" href="/assets/c.js"></head>');
});
