import type { Millis } from '../time/time.js';

/** A line as klog writes it in a container's first process: `I1129 05:27:36.735000       1 text`. */
export function formatKlogLine(level: string, at: Millis, text: string): string {
  const iso = new Date(at).toISOString();
  return `${level}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000       1 ${text}`;
}
