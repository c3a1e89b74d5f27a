import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test.each(folders.map((folder) => folder.name))('%s has a spec beside its controller', (name) =>
  expect(readdirSync(`${import.meta.dirname}/${name}`)).toContain('controller.spec.ts'),
);
