import type { Program } from '../../../engine/kernel/process/program.js';
import { nano } from './nano/nano.js';
import { vi } from './vi/vi.js';

/** Editors for a terminal. */
export const programs: Readonly<Record<string, Program>> = {
  'busybox:vi': vi.as('busybox'),
  'vim:vim': vi,
  'nano:nano': nano,
};
