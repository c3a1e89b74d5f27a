import type { Facts } from './row.js';

const KIB = 1_024;
const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti'];
const MILLI = 1_000;

/** Kubernetes' way to write bytes: 1.5Gi. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= KIB && unit < UNITS.length - 1) [value, unit] = [value / KIB, unit + 1];
  return `${Math.round(value * 10) / 10}${UNITS[unit]}`;
}

/** Millicores: 250m, 1.5. */
export const formatCpu = (milli: number): string =>
  milli < MILLI ? `${milli}m` : String(Math.round(milli / 100) / 10);

/** A pod's own name: one that its node runs by itself is named after it, which tells nothing beside the others. */
export const podName = ({ name, is: { node } }: { readonly name: string; readonly is: Facts }): string =>
  node && name.endsWith(`-${node}`) ? name.slice(0, -node.length - 1) : name;

/** Whose a pod is stands at the beginning of its name, which of them at the end: of a long one the middle goes. */
export function shorten(name: string, width: number, charWidth: number): string {
  const most = Math.floor(width / charWidth);
  if (name.length <= most || most < 4) return name;
  const end = Math.ceil((most - 1) / 2);
  return `${name.slice(0, most - 1 - end)}…${name.slice(-end)}`;
}

/** As much of a text as fits; hostile characters become visible ones. */
export function clip(text: string, width: number, charWidth: number): string {
  const clean = text.replace(CONTROLS, '\uFFFD');
  const most = Math.floor(width / charWidth);
  if (clean.length <= most) return clean;
  return most < 2 ? '' : `${clean.slice(0, most - 1)}…`;
}
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g;
