import type { Program } from '../../../engine/kernel/process/program.js';
import { ciliumDbg } from './dbg/index.js';
import { hubble } from './dbg/hubble.js';
import { ciliumHealth } from './dbg/health.js';
import { installers } from './install.js';

export const programs: Readonly<Record<string, Program>> = {
  ...installers,
  'cilium:cilium-dbg': ciliumDbg,
  'cilium:cilium-health': ciliumHealth,
  'cilium:hubble': hubble,
};
