import { parseDuration } from '../../machinery/cel/values.js';
import { MINUTE, SECOND, type Millis } from '../../machinery/time/time.js';

/** A duration as Go prints it, truncated to ms: '147ms', '2.345s', '1m2.5s', '5m0s'. Models time.Duration.String. */
export function formatDuration(span: Millis): string {
  if (span <= 0) return '0s';
  if (span < SECOND) return `${span}ms`;
  const minutes = Math.floor(span / MINUTE);
  const seconds = Number(((span % MINUTE) / SECOND).toFixed(3));
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}

/** A duration as Go reads it: '1m30s', '0'; undefined: it is none. */
export function parseSpan(text: string): Millis | undefined {
  const duration = parseDuration(text);
  return duration && Number(duration.nanos / 1_000_000n);
}
