import { numberOf } from './arguments.mjs';
import { openService } from './service.mjs';
import { Plain } from '../local/paths.mjs';

const MAX_AT_ONCE = 200;

/** `terrarium learners`: starts those that are named or counted, and shows how far all of them are. */
export async function run({ words: [lab, ...names], options }) {
  if (lab === undefined) throw new Plain('name a lab: terrarium learners LAB [--count N] [NAME…]');
  const ask = openService(options);
  const path = `/v1/labs/${encodeURIComponent(lab)}/learners`;
  const count = numberOf(options, 'count', undefined, MAX_AT_ONCE);
  const ttl = options.ttl && { ttl: options.ttl };
  if (names.length > 0) await ask('POST', path, { names, ...ttl });
  if (count !== undefined) await ask('POST', path, { count, ...ttl });
  const { items } = await ask('GET', path);
  const rows = items.map((one) => [
    one.name,
    one.step > one.steps ? 'done' : `${one.step} of ${one.steps}`,
    `${one.score}/${one.points}`,
    one.lastActivity,
    one.clusterId,
    one.lastCommand,
  ]);
  printTable([['LEARNER', 'STEP', 'SCORE', 'ACTIVE', 'CLUSTER', 'COMMAND'], ...rows]);
  return 0;
}

function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
}
