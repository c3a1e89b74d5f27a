import type { Program } from '../../../engine/kernel/process/program.js';
import { jq } from './jq.js';

export const programs: Readonly<Record<string, Program>> = { 'jq:jq': jq };
