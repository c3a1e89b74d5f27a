import { numberOf } from './arguments.mjs';
import { compiled, findLabs, readLabFile } from './folder.mjs';
import { Plain } from '../local/paths.mjs';

const SEEDS = 3;
const MAX_SEEDS = 1_000;
const WORDS = new Map([
  [true, 'holds'],
  [false, 'fails'],
]);

/** `terrarium test`: 0 when every lab is as it should be on every seed. */
export async function run({ words, options }) {
  if (words.length === 0) throw new Plain('name a lab: terrarium test FILE|FOLDER…');
  const count = numberOf(options, 'seeds', SEEDS, MAX_SEEDS);
  const { testLab } = await compiled('run/test-lab.js');
  let failed = 0;
  for (const file of words.flatMap(findLabs)) {
    const lab = await readLabFile(file);
    const started = performance.now();
    const results = Array.from({ length: count }, (_, i) => testLab(lab, `seed-${i + 1}`, Date.now()));
    print(lab, results, performance.now() - started);
    if (results.some(({ failures }) => failures.length > 0)) failed++;
  }
  return failed === 0 ? 0 : 1;
}

function print(lab, results, ms) {
  const isGood = results.every(({ failures }) => failures.length === 0);
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${lab.metadata.name}: ${lab.spec.title} (${seconds(ms)})`);
  const rows = [['', 'before', 'after'], ...results[0].rows.map(({ name }, i) => [name, ...summary(results, i)])];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      `         ${row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd()}`,
    );
  for (const { seed, failures } of results) for (const failure of failures) console.log(`    ${seed}: ${failure}`);
}

const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;

/** Of one row on all seeds: one word when it is everywhere the same. */
const summary = (results, i) =>
  ['before', 'after'].map((when) => {
    const said = results.map(({ rows }) => WORDS.get(rows[i][when]) ?? '-');
    const kinds = new Set(said);
    return kinds.size === 1
      ? said[0]
      : [...kinds].map((word) => `${word} ${said.filter((one) => one === word).length}`).join(', ');
  });
