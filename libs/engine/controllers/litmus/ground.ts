import type { Millis } from '../../machinery/time/time.js';
import type { Context } from '../../runtime/controller.js';
import type { Env } from './env.js';
import type { EngineExperiment } from './objects.js';
import type { Run } from './result/result.js';

/** The verdict of an experiment that is over; a number: to be looked at again after so many ms; undefined: it runs. */
export type Progress = { readonly verdict: string } | Millis | undefined;

/** An experiment whose pod runs. */
export interface Ground extends Run {
  readonly context: Context;
  readonly spec: EngineExperiment;
  readonly env: Env;
  /** When its pod had begun. */
  readonly since: Millis;
}
