import type { Millis } from '../../../engine/machinery/time/time.js';

/** A line as Calico's programs write them. Models libcalico-go/lib/logutils. */
export function logLine(at: Millis, pid: number, level: string, where: string, message: string): string {
  const time = new Date(at).toISOString().replace('T', ' ').slice(0, 23);
  return `${time} [${level}][${pid}] ${where}: ${message}`;
}
