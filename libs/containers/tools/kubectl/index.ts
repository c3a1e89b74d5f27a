import type { Program } from '../../../engine/kernel/process/program.js';
import { kubectl } from './kubectl.js';

/** kubectl as images have it. */
export const programs: Readonly<Record<string, Program>> = { 'kubectl:kubectl': kubectl };
