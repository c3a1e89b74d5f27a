import { parseDuration } from '../../../servers/go.js';
import { KubectlFailure } from '../session/failure.js';

/** A flag's duration in ms. Throws KubectlFailure in the words of that flag. */
export function durationMs(text: string, flag = 'timeout'): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  const why = /^[-+]?\d+$/.test(text) ? 'missing unit in' : 'invalid';
  throw new KubectlFailure(`invalid argument "${text}" for "--${flag}" flag: time: ${why} duration "${text}"`);
}
