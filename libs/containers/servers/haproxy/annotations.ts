import type { Reader, Start } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { ConfigMaps } from '../../../engine/kinds/index.js';
import { flag } from '../../programs/task.js';

const PREFIXES = ['haproxy.org/', 'haproxy.com/', 'ingress.kubernetes.io/'];

/** What is said of an Ingress: by itself, else by the ConfigMap for all. */
export type Say = (name: string) => string | undefined;

export function sayOf(read: Reader, start: Start, { metadata }: Ingress): Say {
  const config = configOf(read, start);
  return (name) => {
    for (const prefix of PREFIXES) {
      const own = metadata.annotations?.[prefix + name];
      if (own !== undefined) return own;
    }
    return config[name];
  };
}

/** The data of --configmap. */
export function configOf(read: Reader, start: Start): Readonly<Record<string, string>> {
  const [namespace = '', name = ''] = flag(start, 'configmap').split('/');
  return (name === '' ? undefined : read.get(ConfigMaps, { namespace, name })?.data) ?? {};
}

export const isTrue = (text: string | undefined): boolean => /^(true|1|enabled|on)$/i.test(text?.trim() ?? '');

/** Milliseconds of '1s', '100ms' or '5m'; a plain number is of milliseconds. */
export function timeOf(text: string | undefined): number | undefined {
  const [, number, unit = 'ms'] = /^(\d{1,9})(ms|s|m|h|d)?$/.exec(text?.trim() ?? '') ?? [];
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return number === undefined ? undefined : Number(number) * units[unit]!;
}

export const rangesOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);

/** `path-rewrite`: each line one path, or an expression and what stands for it with \1 for its groups. */
export function rewritten(
  text: string | undefined,
  path: string,
  compile: (pattern: string) => { groups(text: string): (string | undefined)[] | undefined } | undefined,
): string {
  let result = path;
  for (const line of (text ?? '').split('\n').slice(0, 50)) {
    const [first, second] = line.trim().split(/\s+/);
    if (!first) continue;
    if (second === undefined) {
      const at = result.indexOf('?');
      result = first + (at < 0 ? '' : result.slice(at));
      continue;
    }
    const groups = compile(first)?.groups(result);
    if (!groups) continue;
    const made = second.replace(/\\(\d)/g, (_whole, index: string) => groups[Number(index)] ?? '');
    result = result.replace(groups[0] ?? '', () => made);
  }
  return result.startsWith('/') ? result : `/${result}`;
}
