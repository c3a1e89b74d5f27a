import { textOf } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { LOGS_FILE, RUNTIME_FILE, type RuntimeView } from '../../../engine/node/host/views/runtime-view.js';
import { readUnit } from '../../../engine/node/host/services/units.js';
import { ToolFailure } from '../framework/tool.js';
import { diskOf } from './disk.js';

export const ENDPOINT = 'unix:///run/containerd/containerd.sock';
const NOT_FOUND =
  'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"';

/** What the node's container runtime knows. Throws ToolFailure when it does not run. */
export function askRuntime(sys: Syscalls): RuntimeView {
  const disk = diskOf(sys);
  const content = readUnit(disk, 'containerd').isActive ? disk.read(RUNTIME_FILE) : undefined;
  if (content === undefined || content === '')
    throw new ToolFailure(
      `validate service connection: validate CRI v1 runtime API for endpoint "${ENDPOINT}": ${NOT_FOUND}`,
    );
  return JSON.parse(textOf(content)) as RuntimeView;
}

export const askLogs = (sys: Syscalls): Readonly<Record<string, readonly string[]>> =>
  JSON.parse(textOf(diskOf(sys).read(LOGS_FILE) ?? '{}')) as Record<string, string[]>;

/** Models docker's go-units HumanDuration. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return 'Less than a second';
  if (seconds === 1) return '1 second';
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  if (minutes === 1) return 'About a minute';
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.round(seconds / 3600);
  if (hours === 1) return 'About an hour';
  if (hours < 48) return `${hours} hours`;
  const days = Math.floor(hours / 24);
  if (days < 14) return `${days} days`;
  if (days < 60) return `${Math.floor(days / 7)} weeks`;
  return days < 730 ? `${Math.floor(days / 30)} months` : `${Math.floor(days / 365)} years`;
}

/** Go's tabwriter as crictl sets it: cells of at least 20, three spaces between them. */
export function formatTable(rows: readonly (readonly string[])[], minWidth = 20, padding = 3): string {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(minWidth, ...rows.map((row) => (row[i] ?? '').length + padding)),
  );
  return rows
    .map((row) => `${row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join('')}\n`)
    .join('');
}

/** Models go-units HumanSizeWithPrecision(3): '12.3MB'. */
export function humanSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${Number(value.toPrecision(3))}${units[unit]}`;
}
