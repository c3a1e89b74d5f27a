import type { Program } from '../../../engine/kernel/process/program.js';
import { helm } from './helm.js';

/** helm as images have it. */
export const programs: Readonly<Record<string, Program>> = { 'helm:helm': helm };
