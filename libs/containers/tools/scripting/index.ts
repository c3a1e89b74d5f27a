import type { Program } from '../../../engine/kernel/process/program.js';
import { perl } from './perl.js';
import { php } from './php.js';
import { python } from './python.js';
import { runtimes } from './runtimes.js';

/** Interpreters, as far as one-liners go, and those that only tell why they do not start. */
export const programs: Readonly<Record<string, Program>> = {
  ...{ 'perl:perl': perl, 'python:python3': python, 'python:python': python },
  ...runtimes,
  'runtime:php': php,
};
