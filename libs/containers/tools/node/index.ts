import type { Program } from '../../../engine/kernel/process/program.js';
import { journalctl } from './journalctl.js';
import { systemctl } from './systemctl.js';

/** What a node has beside an image's tools. */
export const programs: Readonly<Record<string, Program>> = {
  'systemd:systemctl': systemctl,
  'systemd:journalctl': journalctl,
};
