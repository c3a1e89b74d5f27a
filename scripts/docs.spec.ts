import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const LINK = /\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g;

const documents = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');

test('there are documents', () => expect(documents).toContain('README.md'));

test.each(documents)('%s links to files that exist', (document) => {
  const links = [...fs.readFileSync(document, 'utf8').matchAll(LINK)].map(([, link]) => link!);
  const missing = links.filter((link) => !fs.existsSync(path.join(path.dirname(document), link)));
  expect(missing).toEqual([]);
});
