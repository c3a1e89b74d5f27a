import { KubectlFailure } from '../session/failure.js';

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Models time.ParseDuration: '1m30s', '-1s', '0'. In ms. Throws KubectlFailure in the words of that flag. */
export function durationMs(text: string, flag = 'timeout'): number {
  const parts = [...text.matchAll(/(\d{1,12}(?:\.\d{1,9})?)(ms|[hms])/g)];
  const isWhole = parts.length > 0 && parts.map(([whole]) => whole).join('') === text.replace(/^[-+]/, '');
  if (text !== '0' && !isWhole) {
    const why = /^[-+]?\d+$/.test(text) ? `missing unit in duration "${text}"` : `invalid duration "${text}"`;
    throw new KubectlFailure(`invalid argument "${text}" for "--${flag}" flag: time: ${why}`);
  }
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
  return text.startsWith('-') ? -ms : ms;
}
