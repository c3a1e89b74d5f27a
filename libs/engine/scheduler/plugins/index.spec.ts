import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { filters, scores } from './index.js';

const FOLDER = path.dirname(fileURLToPath(import.meta.url));
const isPlugin = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('preFilter' in value || 'preScore' in value);

test('every plug-in of the folder is in the profile, once', async () => {
  const files = fs.readdirSync(FOLDER).filter((f) => f.endsWith('.ts') && !f.endsWith('.spec.ts') && f !== 'index.ts');
  const plugins: unknown[] = [];
  for (const file of files) {
    const exported = Object.values((await import(`./${file.replace(/\.ts$/, '.js')}`)) as object).filter(isPlugin);
    expect([file, exported.length > 0]).toEqual([file, true]);
    plugins.push(...exported);
  }
  const profile: unknown[] = [...filters, ...scores];
  expect(new Set(profile)).toEqual(new Set(plugins));
  expect(profile).toHaveLength(plugins.length);
});

test("filters run in the default profile's order", () =>
  expect(filters.map(({ name }) => name)).toEqual([
    'NodeUnschedulable',
    'NodeName',
    'TaintToleration',
    'NodeAffinity',
    'NodePorts',
    'NodeResourcesFit',
    'VolumeRestrictions',
    'VolumeBinding',
    'PodTopologySpread',
    'InterPodAffinity',
  ]));

test("scores have the default profile's weights", () =>
  expect(Object.fromEntries(scores.map(({ name, weight }) => [name, weight]))).toEqual({
    TaintToleration: 3,
    NodeAffinity: 2,
    NodeResourcesFit: 1,
    PodTopologySpread: 2,
    InterPodAffinity: 2,
    NodeResourcesBalancedAllocation: 1,
    ImageLocality: 1,
  }));
