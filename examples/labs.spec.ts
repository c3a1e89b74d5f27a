import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readLabFolder } from '../libs/platform/labs/read-lab.js';
import { testLab } from '../libs/platform/labs/run/test-lab.js';

const FOLDER = path.join(import.meta.dirname, 'labs');
const SEEDS = ['one', 'two'];
const LIMIT_MS = 120_000;

const labs = fs.readdirSync(FOLDER);

test('there are twelve', () => expect(labs).toHaveLength(12));

test.each(labs)(
  '%s: what it asks for fails before its solution, and holds after it',
  (name) => {
    const folder = path.join(FOLDER, name);
    const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');
    const lab = readLabFolder(read('lab.yaml'), read);
    expect(lab.metadata.name).toBe(name);
    for (const step of lab.spec.steps)
      expect([step.title, step.hints.length > 0, step.solution]).toEqual([step.title, true, expect.any(String)]);
    for (const seed of SEEDS) {
      const { failures, rows } = testLab(lab, seed, Date.UTC(2026, 0, 1, 12));
      expect({ seed, failures }).toEqual({ seed, failures: [] });
      expect(rows.length).toBeGreaterThan(1);
    }
  },
  LIMIT_MS,
);
