// Steps that make a clone runnable, each skipped when its inputs are what they were the last time.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { prisma } from '../prisma.mjs';
import { bundlePrograms, bundlePureLibraries } from './bundle.mjs';
import { buildConsole } from './console.mjs';
import { runLocked } from './lock.mjs';
import { generatedFile, operationFiles, SCHEMA } from './operations-files.mjs';
import { inMade, Plain, root } from './paths.mjs';

const ERROR_LINES = 15;

/** Runs a program to its end; throws Plain with the last lines it printed when it fails. */
export function run(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const end = () => child.kill('SIGTERM');
  process.on('exit', end);
  child.on('close', () => process.off('exit', end));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (output = (output + chunk).slice(-100_000)));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Plain(`${path.basename(program)} could not run: ${error.message}`)));
    child.on('close', (code) =>
      code === 0
        ? resolve(output)
        : reject(
            new Plain(
              `${path.basename(program)} ${args.join(' ')} failed:\n${output.trim().split('\n').slice(-ERROR_LINES).join('\n')}`,
            ),
          ),
    );
  });
}

/** Prints '… what' at once, and the time it took at the end. */
export async function step(what, work) {
  const started = Date.now();
  process.stdout.write(`  ${what} … `);
  const beat = setInterval(() => process.stdout.write('. '), 5_000);
  try {
    const result = await work();
    console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.log('failed');
    throw error;
  } finally {
    clearInterval(beat);
  }
}

function* files(entry) {
  const full = path.join(root, entry);
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) return yield { entry, stat };
  if (/(^|\/)(generated|node_modules|dist)$/.test(entry)) return;
  for (const name of fs.readdirSync(full).sort())
    if (!/\.(spec|generated)\.ts$/.test(name)) yield* files(path.join(entry, name));
}

function fingerprint(entries) {
  const hash = crypto.createHash('sha256');
  for (const entry of entries)
    for (const { entry: file, stat } of files(entry)) hash.update(`${file} ${stat.size} ${stat.mtimeMs}\n`);
  return hash.digest('hex');
}

/** Runs `work` unless `inputs` and `outputs` are as it left them. */
async function unlessDone(name, { inputs, outputs }, what, work) {
  const stamp = inMade('stamps', name);
  const before = fingerprint(inputs);
  const done =
    fs.existsSync(stamp) &&
    fs.readFileSync(stamp, 'utf8') === before &&
    outputs.every((file) => fs.existsSync(path.join(root, file)));
  if (done) return false;
  await step(what, work);
  fs.mkdirSync(path.dirname(stamp), { recursive: true });
  fs.writeFileSync(stamp, fingerprint(inputs));
  return true;
}

/** API types, lists of folders and Prisma's client: what must exist before anything compiles. */
export async function generate() {
  await unlessDone(
    'prisma',
    {
      inputs: ['prisma/schema.prisma', 'node_modules/prisma/package.json'],
      outputs: ['libs/platform/generated/client.ts'],
    },
    'generating the database client',
    async () => {
      const { code, output } = await prisma(['generate']);
      if (code !== 0) throw new Plain(`prisma generate failed:\n${output.trim()}`);
    },
  );
  await unlessDone(
    'generate',
    {
      inputs: ['scripts/generate.mjs', 'libs/engine', 'libs/containers'],
      outputs: ['libs/engine/kinds/index.ts', 'libs/engine/schema/facts/definitions.generated.ts'],
    },
    'generating API types',
    () => run(process.execPath, [path.join(root, 'scripts/generate.mjs')]),
  );
  const operations = operationFiles();
  await unlessDone(
    'operations',
    {
      inputs: ['scripts/generate-operations.mjs', 'scripts/local/operations.mjs', SCHEMA, ...operations],
      outputs: operations.map(generatedFile),
    },
    'generating types of the console’s operations',
    () => run(process.execPath, [path.join(root, 'scripts/generate-operations.mjs')]),
  );
}

/** Everything that runs, to dist/. Tells whether there was something to do. */
export const build = () => runLocked(inMade('build.lock'), buildAll);

async function buildAll() {
  await generate();
  const programs = await buildPrograms();
  const console = await unlessDone(
    'console',
    { inputs: ['apps/console', 'examples/labs', SCHEMA, 'package-lock.json'], outputs: ['dist/console/index.html'] },
    'building the console',
    () => buildConsole(run, inMade(`console.${process.pid}`)),
  );
  return programs || console;
}

/** api, worker and libs/ to dist/, by swc: fast, without type checks. */
function buildPrograms() {
  const inputs = ['apps/api', 'apps/worker', 'libs', '.swcrc', 'prisma/schema.prisma'];
  return unlessDone(
    'build',
    {
      inputs: [...inputs, 'scripts/local/bundle.mjs', 'scripts/local/assign-spreads.mjs', 'package-lock.json'],
      outputs: ['dist/apps/api/main.js', 'dist/apps/worker/main.js'],
    },
    'building',
    async () => {
      // Swapped when it is whole: a service that runs from dist/ may start a process again at any time.
      const fresh = inMade(`dist.${process.pid}`);
      await run(process.execPath, [
        path.join(root, 'node_modules/@swc/cli/bin/swc.js'),
        'apps/api',
        'apps/worker',
        'libs',
        '-d',
        fresh,
        '--config-file',
        '.swcrc',
        '--copy-files',
        '--quiet',
      ]);
      await bundlePureLibraries(path.join(fresh, 'libs'));
      await bundlePrograms(fresh);
      const console = path.join(root, 'dist/console');
      if (fs.existsSync(console)) fs.renameSync(console, path.join(fresh, 'console'));
      fs.rmSync(path.join(root, 'dist'), { recursive: true, force: true });
      fs.renameSync(fresh, path.join(root, 'dist'));
    },
  );
}
