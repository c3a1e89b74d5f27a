export const LATEST = '4.2.2';
/** ms from the process' start until it listens. */
export const READY_MS = 4_000;

/** `2026-11-22 00:00:00.000000+00:00 [info] <0.254.0> text`. */
export const logLine = (at: number, text: string, level = 'info'): string =>
  `${new Date(at).toISOString().slice(0, 23).replace('T', ' ')}000+00:00 [${level}] <0.254.0> ${text}\n`;
