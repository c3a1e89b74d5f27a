import type { Program } from '../../../engine/kernel/process/program.js';
import { experiment } from './experiment.js';
import { helper } from './helper.js';
import { runner } from './runner.js';
import { ssh, systemctl } from './host-commands.js';

/** LitmusChaos' programs, and what helpers of nodes call. */
export const programs: Readonly<Record<string, Program>> = {
  'litmus:chaos-runner': runner,
  'litmus:experiments': experiment,
  'litmus:helpers': helper,
  'litmus:systemctl': systemctl,
  'litmus:ssh': ssh,
};
