#!/usr/bin/env node
// `npm run bench [-- NAME…] [-- --json FILE]`: every row of bench/rows on the embedded default, then with Redis; one
// table at the end.
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { build } from './local/build.mjs';
import { install } from './local/install.mjs';
import { Plain, root } from './local/paths.mjs';

const ORDER = [
  'create',
  'rollout',
  'engine',
  'daylog',
  'writes',
  'reads',
  'applies',
  'fairness',
  'hostile',
  'classroom',
  'sessions',
  'follow',
  'podload',
  'loggers',
  'advance',
  'checks',
  'delivery',
  'fork',
  'labs',
  'travel',
  'why',
  'load',
  'frames',
  'consoles',
  'idle',
];

const args = process.argv.slice(2);
const option = (name) => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
};

function verdict({ value, target, better }) {
  if (target === undefined) return '';
  return (better === 'less' ? value <= target : value >= target) ? 'met' : 'missed';
}

const number = (value) => (Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2));
const goal = ({ target, better, unit }) =>
  target === undefined ? '' : `${better === 'less' ? 'at most' : 'at least'} ${target.toLocaleString('en-US')} ${unit}`;

function printTable(rows) {
  const lines = [
    ['row', 'on', 'measured', 'target', ''],
    ...rows.map((r) => [
      r.row,
      r.on,
      r.error ?? `${number(r.value)} ${r.unit}`,
      goal(r),
      r.error ? 'failed' : verdict(r),
    ]),
  ];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const text = lines.map((line) => `| ${line.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`);
  text.splice(1, 0, `|${widths.map((w) => '-'.repeat(w + 2)).join('|')}|`);
  console.log(`\n${text.join('\n')}`);
}

/** Measures one file of bench/rows; an error is a row too, so that the rest is still measured. */
async function measure(name, module, service, on) {
  const started = Date.now();
  process.stdout.write(`  ${on}: ${module.title} … `);
  try {
    const rows = await module.run(service);
    console.log(`${((Date.now() - started) / 1000).toFixed(0)} s`);
    return rows.map((row) => ({ name, on, ...row }));
  } catch (error) {
    console.log('failed');
    return [{ name, on, row: module.title, error: error.message.split('\n')[0].slice(0, 120) }];
  }
}

async function main() {
  const json = option('--json');
  const only = option('--on');
  const unknown = args.filter((name) => !ORDER.includes(name));
  if (unknown.length) throw new Plain(`There is no benchmark ${unknown.join(', ')}: choose from ${ORDER.join(', ')}.`);
  await install();
  await build();
  const { startService } = await import('../bench/service/service.mjs');
  const names = args.length ? ORDER.filter((name) => args.includes(name)) : ORDER;
  const modules = await Promise.all(
    names.map(async (name) => [name, await import(pathToFileURL(path.join(root, `bench/rows/${name}.mjs`)).href)]),
  );
  const rows = [];
  for (const [name, module] of modules)
    if (module.alone) rows.push(...(await measure(name, module, undefined, 'memory')));
  const redis = spawnSync('redis-server', ['--version']).status === 0;
  if (!redis) console.log('  redis-server is not installed: measured on the embedded default only');
  const modes = ['postgres', ...(redis ? ['redis'] : [])].filter((mode) => !only || mode === only);
  const served = modules.filter(([, module]) => !module.alone);
  for (const mode of served.length ? modes : []) {
    const service = await startService(mode);
    const stop = () => void service.close().finally(() => process.exit(130));
    process.once('SIGINT', stop).once('SIGTERM', stop);
    try {
      for (const [name, module] of served) rows.push(...(await measure(name, module, service, mode)));
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      await service.close();
    }
  }
  printTable(rows);
  if (json) fs.writeFileSync(json, `${JSON.stringify(rows, null, 2)}\n`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Plain ? error.message : error);
  process.exitCode = 1;
}
