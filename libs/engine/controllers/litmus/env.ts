import type { EnvVar } from '../../api/core_v1.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';

/** Variables of a ChaosExperiment, and over them those of the engine. */
export type Env = ReadonlyMap<string, string>;

const MAX_SECONDS = 86_400;

export const envOf = (...lists: readonly (readonly EnvVar[] | undefined)[]): Env =>
  new Map(lists.flatMap((list) => list ?? []).map(({ name, value = '' }) => [name, value]));

export const numberOf = (env: Env, name: string, fallback: number): number => {
  const text = env.get(name) ?? '';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : fallback;
};

export const percentOf = (env: Env, name: string, fallback: number): number =>
  Math.min(100, Math.max(0, numberOf(env, name, fallback)));

/** TOTAL_CHAOS_DURATION. */
export const secondsOf = (env: Env, fallback: number): number =>
  Math.min(MAX_SECONDS, Math.max(1, numberOf(env, 'TOTAL_CHAOS_DURATION', 0) || fallback));

/** STATUS_CHECK_DELAY and STATUS_CHECK_TIMEOUT. */
export const checkDelayOf = (env: Env): Millis => Math.max(1, numberOf(env, 'STATUS_CHECK_DELAY', 2)) * SECOND;
export const checkTimeoutOf = (env: Env): Millis => Math.max(1, numberOf(env, 'STATUS_CHECK_TIMEOUT', 180)) * SECOND;

/** Those without a value are left out. */
export const listEnv = (pairs: Readonly<Record<string, string | number | undefined>>): EnvVar[] =>
  Object.entries(pairs).flatMap(([name, value = '']) => (value === '' ? [] : [{ name, value: String(value) }]));

/** The name of the pod itself, by the downward API. */
export const POD_NAME: EnvVar = {
  name: 'POD_NAME',
  valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } },
};
