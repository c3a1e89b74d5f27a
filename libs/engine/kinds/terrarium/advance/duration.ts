import { HOUR, MINUTE, SECOND, type Millis } from '../../../machinery/time/time.js';

const PARTS = /^(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;

/** Reads '1h30m', '90s', '250ms', as Go prints durations. Whole ms; undefined when it is none. */
export function parseSpan(text: string): Millis | undefined {
  const parts = text === '' ? undefined : PARTS.exec(text);
  if (!parts) return undefined;
  const [hours, minutes, seconds, millis] = parts.slice(1).map((part) => Number(part ?? 0));
  return Math.round(hours! * HOUR + minutes! * MINUTE + seconds! * SECOND + millis!);
}
