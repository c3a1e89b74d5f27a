#!/usr/bin/env node
// `npm run build`: generates what derives from folders and facts, then compiles apps/ and libs/ to dist/.
import { build } from './local/build.mjs';
import { Plain } from './local/paths.mjs';

try {
  if (!(await build())) console.log('  nothing has changed since the last build');
} catch (error) {
  console.error(error instanceof Plain ? error.message : error);
  process.exitCode = 1;
}
