#!/usr/bin/env node
// `npm run terrarium -- COMMAND`: labs from the command line (docs/LABS.md).
import { build } from './local/build.mjs';
import { Plain } from './local/paths.mjs';
import { parseArguments, USAGE } from './labs/arguments.mjs';

const COMMANDS = {
  test: () => import('./labs/test.mjs'),
  apply: () => import('./labs/apply.mjs'),
  import: () => import('./labs/import.mjs'),
  learners: () => import('./labs/learners.mjs'),
};

async function main() {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined || name === 'help' || name === '--help') return console.log(USAGE);
  const load = COMMANDS[name];
  if (!load) throw new Plain(`there is no command "${name}"\n\n${USAGE}`);
  await build();
  const { run } = await load();
  process.exitCode = await run(parseArguments(rest));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Plain ? error.message : error);
  process.exitCode = 1;
}
