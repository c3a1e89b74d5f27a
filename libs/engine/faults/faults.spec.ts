import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { faultTypeNames, faultTypes } from './index.js';

const folder = import.meta.dirname;
const page = fs.readFileSync(path.join(folder, '../../../docs/FAULTS.md'), 'utf8');

test('there are many, and each has a name of its own', () => {
  expect(new Set(faultTypeNames).size).toBe(faultTypes.length);
  expect(faultTypes.length).toBeGreaterThanOrEqual(49);
});

describe.each(faultTypes.map((type) => [type.name, type] as const))('%s', (name, type) => {
  test('stands in a folder of its name, with a spec', () =>
    expect(fs.existsSync(path.join(folder, name.toLowerCase(), 'fault.spec.ts'))).toBe(true));
  test('is in docs/FAULTS.md, with its parameters', () => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
    for (const parameter of Object.keys(type.parameters ?? {})) expect(row).toContain(`\`${parameter}\``);
    expect(row).not.toBe('');
  });
});
