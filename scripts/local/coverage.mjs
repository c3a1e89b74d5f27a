// What `npm test -- --coverage` adds to jest's options, and the table by folder that it prints.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';

const folder = path.join(root, 'coverage');
/** Folders deeper than this are counted with their parents: libs/engine/apiserver/registry. */
const DEPTH = 4;
const MEASURES = ['lines', 'branches', 'functions'];

const NOT_COUNTED = ['**/*.spec.ts', '**/testing.ts', '**/generated/**', '**/*.generated.ts', 'libs/engine/api/**'];

export const coverageOptions = [
  // V8 counts what runs; the other provider rewrites every file before.
  '--coverageProvider=v8',
  '--coverageReporters=json-summary',
  `--coverageDirectory=${folder}`,
  ...['{libs,apps}/**/*.ts', ...NOT_COUNTED.map((pattern) => `!${pattern}`), '!libs/testkit/**'].map(
    (pattern) => `--collectCoverageFrom=${pattern}`,
  ),
];

/** Sums jest's summary by folder: `{ folder, files, lines, branches, functions }`, the last `{ total, covered }`. */
export function sumByFolder(summary) {
  const rows = new Map();
  for (const [file, counts] of Object.entries(summary)) {
    if (file === 'total') continue;
    const name = path.dirname(path.relative(root, file)).split(path.sep).slice(0, DEPTH).join('/');
    const row = rows.get(name) ?? { folder: name, files: 0, ...emptyCounts() };
    row.files++;
    for (const measure of MEASURES) {
      row[measure].total += counts[measure].total;
      row[measure].covered += counts[measure].covered;
    }
    rows.set(name, row);
  }
  return [...rows.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

const emptyCounts = () => Object.fromEntries(MEASURES.map((measure) => [measure, { total: 0, covered: 0 }]));

const percent = ({ total, covered }) => (total === 0 ? '-' : `${((100 * covered) / total).toFixed(1)} %`);

/** Prints the table. Code that runs in processes of their own (api, worker) is not counted. */
export function printCoverage() {
  const file = path.join(folder, 'coverage-summary.json');
  if (!fs.existsSync(file)) return;
  const summary = JSON.parse(fs.readFileSync(file, 'utf8'));
  const rows = sumByFolder(summary).map((row) => [
    row.folder,
    String(row.files),
    ...MEASURES.map((m) => percent(row[m])),
  ]);
  const all = ['all', '', ...MEASURES.map((measure) => percent(summary.total[measure]))];
  const table = [['folder', 'files', ...MEASURES], ...rows, all];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    console.log(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '));
  }
}
