import { HOUR, MINUTE, SECOND, type Millis } from '../../../../../engine/machinery/time/time.js';
import { KubeadmFailure } from '../failure.js';

const UNITS: Readonly<Record<string, Millis>> = { h: HOUR, m: MINUTE, s: SECOND };

/** '24h', '1h30m', '0'. Throws KubeadmFailure, which names the flag. */
export function readDuration(text: string, flag: string): Millis {
  if (text === '0') return 0;
  let [total, digits] = [0, ''];
  for (const character of text) {
    const unit = UNITS[character];
    if (unit === undefined) digits += character;
    else [total, digits] = [total + Number(digits) * unit, ''];
  }
  if (digits === '' && total > 0) return total;
  throw new KubeadmFailure(`invalid argument "${text}" for "--${flag}" flag: time: invalid duration "${text}"`);
}
