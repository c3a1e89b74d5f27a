import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = path.join(process.cwd(), 'libs/engine/kinds');

const folders = fs
  .readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'kind.ts')
  .map((file) => path.dirname(file));

test('there is a folder for each kind', () => expect(folders).toContain('core/pod'));

test('each kind has its kind.spec.ts', () =>
  expect(folders.filter((folder) => !fs.existsSync(path.join(ROOT, folder, 'kind.spec.ts')))).toEqual([]));
