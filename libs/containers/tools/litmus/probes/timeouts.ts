import type { Millis } from '../../../../engine/machinery/time/time.js';
import { parseDuration } from '../../../servers/go.js';
import { formatError, type Probe } from './types.js';

const FIELDS = ['probeTimeout', 'interval', 'probePollingInterval', 'initialDelay', 'evaluationTimeout'] as const;
type Field = (typeof FIELDS)[number];
const DAY: Millis = 86_400_000;
const MAX_ATTEMPTS = 100;
/** A probe that is repeated rests at least so long. */
const MIN_POLLING: Millis = 100;

/** runProperties in ms; what is absent is 0. */
export const timeoutsOf = ({ runProperties = {} }: Probe): Readonly<Record<Field, Millis>> =>
  Object.fromEntries(
    FIELDS.map((name) => [name, Math.min(DAY, Math.max(0, parseDuration(runProperties[name] ?? '') ?? 0))]),
  ) as Record<Field, Millis>;

export const pollingOf = (probe: Probe): Millis => Math.max(MIN_POLLING, timeoutsOf(probe).probePollingInterval);

/** Models getAttempts. */
export const attemptsOf = ({ runProperties: { attempt = 0, retry = 0 } = {} }: Probe): number =>
  Math.min(MAX_ATTEMPTS, Math.max(1, attempt || retry || 1));

/** The first duration that is none. Models types.parseProbeTimeouts. */
export function findDurationFault(probes: readonly Probe[]): string | undefined {
  for (const { name, type, runProperties = {} } of probes)
    for (const field of FIELDS) {
      const text = (runProperties[field] ?? '').trim();
      if (text === '' || parseDuration(text) !== undefined) continue;
      const reason = `Invalid probe runProperties field '${field[0]!.toUpperCase()}${field.slice(1)}': time: ${explain(text)}`;
      return formatError({ errorCode: 'GENERIC_ERROR', reason, target: `{probeName: ${name}, type: ${type}}` });
    }
  return undefined;
}

const explain = (text: string): string =>
  /^[-+]?[\d.]+$/.test(text)
    ? `missing unit in duration ${JSON.stringify(text)}`
    : `invalid duration ${JSON.stringify(text)}`;
