import type { Millis } from '../../../engine/machinery/time/time.js';

/** The release that a tag names; that of 'latest' otherwise. */
export function releaseOf(image: string): readonly [major: number, minor: number, patch: number] {
  const [, major, minor, patch] = /:v?(\d+)\.(\d+)\.(\d+)/.exec(image) ?? [];
  return major === undefined ? [1, 18, 4] : [Number(major), Number(minor), Number(patch)];
}

/** What a field of a line needs quotes for. */
const quoted = (value: string): string => (/^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value));

/**
 * A line as Cilium's programs write them: by logrus, since 1.18 by slog. Models pkg/logging. `subsystem`: 'daemon',
 * which later releases name as a module.
 */
export function logLine(
  at: Millis,
  image: string,
  subsystem: string,
  message: string,
  fields: Readonly<Record<string, string>> = {},
  level = 'info',
): string {
  const [, minor] = releaseOf(image);
  const isNew = minor >= 18;
  const time = new Date(at).toISOString();
  const more = Object.entries(fields)
    .map(([key, value]) => ` ${key}=${quoted(value)}`)
    .join('');
  if (isNew) return `time=${time.slice(0, -1)}000000Z level=${level} msg=${quoted(message)} module=${subsystem}${more}`;
  return `time="${time.slice(0, 19)}Z" level=${level} msg=${quoted(message)}${more} subsys=${subsystem}`;
}
