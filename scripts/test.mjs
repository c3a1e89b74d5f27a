#!/usr/bin/env node
// `npm test [-- PATTERN] [--coverage]`: installs and generates when needed, runs every test, prints coverage by folder
// when asked, and ends with 'N passed, N failed, N skipped'.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { build } from './local/build.mjs';
import { install } from './local/install.mjs';
import { coverageOptions, printCoverage } from './local/coverage.mjs';
import { Plain, root } from './local/paths.mjs';
import { writeSpecGroups } from './local/spec-groups.mjs';

/** The names under which the example's test finds a browser. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** kubectl, which transcripts start a thousand times, lives too short for collections, a quarter of its time. */
const ENV = { GOGC: 'off', ...process.env };

/** Of the cause that is printed beside the name of a test that has failed. */
const CAUSE_LINES = 12;
const CAUSE_WIDTH = 240;

let reports = 0;

/** Runs jest to its end. Resolves with its exit code and, unless it broke off, its report. */
function jest(args) {
  const report = path.join(os.tmpdir(), `terrarium-jest-${process.pid}-${reports++}.json`);
  const command = [
    '--experimental-vm-modules',
    // Jest's processes have it, too: most of what a spec makes is garbage at once, and collected in fewer rounds.
    '--max-semi-space-size=32',
    '--no-warnings',
    path.join(root, 'node_modules/jest/bin/jest.js'),
    '--json',
    `--outputFile=${report}`,
    '--passWithNoTests',
    ...args,
  ];
  // --json moves the human report to stderr and prints the JSON, which the file has already.
  const child = spawn(process.execPath, command, { cwd: root, env: ENV, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  return new Promise((resolve) =>
    child.on('close', (code) => {
      const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : undefined;
      fs.rmSync(report, { force: true });
      resolve({ code: code ?? 1, result });
    }),
  );
}

/** What jest has loaded for a file of the edges is never freed: a process that keeps more than this is replaced. */
const IDLE_MEMORY = '3GB';

/** The runs of jest, one after the other: the specs of the engine, then those that start servers and wait for them. */
function runs(args) {
  if (args.includes('--coverage')) return [[...args, ...coverageOptions]];
  // Specs wait for kubectl, browsers and services a fifth of their time: one more runs than there are cores.
  const shared = [`--maxWorkers=${os.availableParallelism() + 1}`, ...separate(args)];
  const config = args.length > 0 ? [] : ['--config=jest.groups.config.mjs'];
  const pure = args.length > 0 ? ['engine'] : ['engine', 'testkit'];
  return [
    [...config, ...pure.map((name) => `--selectProjects=${name}`), ...shared],
    // Servers and clients that a spec has left behind must not hold the end up.
    [...config, '--selectProjects=edges', '--forceExit', `--workerIdleMemoryLimit=${IDLE_MEMORY}`, ...shared],
  ];
}

/** Options that take lists would swallow the patterns behind them. */
const separate = (args) => (args.length > 0 ? ['--testPathPatterns', ...args] : []);

/** The tests of a report that ended so; a file that did not even load stands for its tests. Failures with why. */
function namesOf(result, status) {
  return result.testResults.flatMap((file) => {
    const name = path.relative(root, file.name);
    if (file.assertionResults.length === 0) return file.status === status ? [name + readableCause([file.message])] : [];
    return file.assertionResults
      .filter((t) => t.status === status)
      .map((t) => `${name}: ${t.fullName}${readableCause(t.failureMessages)}`);
  });
}

/** The first lines of why a test has failed, without colours and stack. */
const readableCause = (messages = []) =>
  messages
    .flatMap((message) => stripVTControlCharacters(message ?? '').split('\n'))
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(0, CAUSE_LINES)
    .map((line) => `\n      ${line.slice(0, CAUSE_WIDTH)}`)
    .join('');

/** Prints the names of tests that ended so, where the eye falls: right before the numbers. */
function printNames(title, results, status) {
  const names = results.flatMap((result) => namesOf(result, status));
  if (names.length > 0) console.log(`${title}:\n${names.map((name) => `  ${name}`).join('\n')}`);
}

try {
  await install();
  await build();
  const redis = spawnSync('redis-server', ['--version']).status === 0;
  const browser = BROWSERS.some((name) => spawnSync(name, ['--version']).status === 0);
  const args = process.argv.slice(2);
  const results = [];
  let broken = false;
  if (args.length === 0) writeSpecGroups();
  for (const options of runs(args)) {
    const { code, result } = await jest(options);
    if (!result) throw new Plain('jest did not run to its end.');
    results.push(result);
    broken ||= code !== 0;
  }
  if (args.includes('--coverage')) printCoverage();
  printNames('Skipped', results, 'pending');
  printNames('Failed', results, 'failed');
  if (!redis)
    console.log('redis-server is not installed: what needs Redis was skipped (apt-get install redis-server).');
  if (!browser) console.log('Chromium is not installed: its tests were skipped (apt-get install chromium).');
  const sum = (count) => results.reduce((total, result) => total + count(result), 0);
  // A file that does not even load counts as one failure.
  const failed = sum((result) => result.numFailedTests + result.numRuntimeErrorTestSuites);
  const passed = sum((result) => result.numPassedTests);
  console.log(`${passed} passed, ${failed} failed, ${sum((r) => r.numPendingTests + r.numTodoTests)} skipped`);
  process.exitCode = failed > 0 || broken ? 1 : 0;
} catch (error) {
  console.error(error instanceof Plain ? error.message : error);
  process.exitCode = 1;
}
