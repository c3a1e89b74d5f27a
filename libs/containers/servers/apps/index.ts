import type { Program } from '../../../engine/kernel/process/program.js';
import { programs as imageServer } from './image-server.js';

/** Servers of sample applications, and of what authors describe. */
export const programs: Readonly<Record<string, Program>> = { ...imageServer };
