#!/usr/bin/env node
// Runs prisma's own command line with the schema engine of this repository: `node scripts/prisma.mjs migrate status`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(import.meta.dirname, '..');

/** Resolves with the exit code and what was printed; `inherit` shows it instead. */
export function prisma(args, { env = {}, inherit = false } = {}) {
  const binary = path.join(root, 'node_modules/prisma/build/index.js');
  const child = spawn(process.execPath, [binary, ...args, '--config', path.join(root, 'prisma/prisma.config.mjs')], {
    cwd: root,
    stdio: inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...env,
      PRISMA_SCHEMA_ENGINE_BINARY: path.join(import.meta.dirname, 'prisma-schema-engine.mjs'),
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await prisma(process.argv.slice(2), { inherit: true })).code;
}
