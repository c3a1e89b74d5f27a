import type { Program } from '../../../engine/kernel/process/program.js';
import { awk } from './awk.js';

/** awk: Debian's mawk, gawk, and busybox' applet. */
export const programs: Readonly<Record<string, Program>> = {
  'mawk:awk': awk,
  'mawk:mawk': awk,
  'gawk:gawk': awk,
  'busybox:awk': awk.as('busybox'),
};
