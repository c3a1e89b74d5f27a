import { secondsOf, type Env } from '../env.js';
import type { HelperSpec } from './helper-spec.js';
import { NODE_HELPERS } from './node-helpers.js';
import { POD_HELPERS } from './pod-helpers.js';

/** Which experiments have helpers. Models createHelperPod of litmus-go/chaoslib. */
export const HELPERS: Readonly<Record<string, HelperSpec>> = { ...POD_HELPERS, ...NODE_HELPERS };

const DEFAULT_SECONDS = 30;

/** TOTAL_CHAOS_DURATION, or the experiment's own default. */
export const durationOf = (experiment: string, env: Env): number =>
  secondsOf(env, HELPERS[experiment]?.seconds ?? DEFAULT_SECONDS);
