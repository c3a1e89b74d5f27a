import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { ToolContext } from '../../framework/tool.js';
import { kubeletCommand, type KubeletCommand } from '../../../../engine/node/host/services/kubelet-start.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import { diskOf } from '../disk.js';
import { nodeBootedAt } from '../../process/node-processes.js';
import { serviceEntries, formatEntry } from './service-log.js';
import { valueOf, type Service } from './services.js';

const NOT_RUNNING = 3;
const LAST_LINES = 10;

/** `systemctl status`. Models systemd's src/systemctl/systemctl-show.c print_status_info. */
export function printStatus(tool: ToolContext, service: Service): number {
  const { unit, description, file, dropIns, isEnabled, documentation } = service;
  const { sys } = tool;
  const lines = [
    `${{ running: '●', failing: '●', failed: '×', dead: '○' }[service.course]} ${unit}.service - ${description}`,
    `     Loaded: loaded (${file}; ${isEnabled ? 'enabled' : 'disabled'}; preset: enabled)`,
    ...dropInLines(dropIns),
    `     Active: ${activeText(service, sys.now, nodeBootedAt(sys))}`,
    ...(documentation ? [`       Docs: ${documentation}`] : []),
    ...(service.course === 'dead' ? [] : processLines(tool, service)),
  ];
  tool.out(bytesOf(`${lines.join('\n')}\n`));
  const entries = serviceEntries(sys, diskOf(sys), service, sys.now).slice(-LAST_LINES);
  if (entries.length > 0) tool.out(`\n${entries.map((entry) => formatEntry(entry, sys.hostname)).join('\n')}\n`);
  return service.course === 'running' ? 0 : NOT_RUNNING;
}

function dropInLines(paths: readonly string[]): string[] {
  const folders = [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))];
  return folders.flatMap((folder, i) => {
    const names = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
    return [`${i === 0 ? '    Drop-In: ' : '             '}${folder}`, `             └─${names.join(', ')}`];
  });
}

function activeText({ course, state }: Service, now: number, bootedAt: number): string {
  const since = state.since ?? bootedAt;
  const when = `since ${longTime(since)}; ${formatSpan(now - since)} ago`;
  if (course === 'running') return `active (running) ${when}`;
  if (course === 'failing') {
    const at = lastTry(now, since);
    return `activating (auto-restart) (Result: exit-code) since ${longTime(at)}; ${formatSpan(now - at)} ago`;
  }
  if (course === 'failed') return `failed (Result: exit-code) ${when}`;
  return state.run === '' ? 'inactive (dead)' : `inactive (dead) ${when}`;
}

/** systemd tries every ten seconds. */
const lastTry = (now: number, since: number): number => now - ((now - since) % 10_000);

/** Threads and memory. */
const SIZES: Readonly<Record<string, readonly [tasks: number, memory: string]>> = {
  kubelet: [17, '38.4M'],
  containerd: [145, '182.6M'],
};
const SMALL = [1, '1.2M'] as const;

function processLines({ sys }: ToolContext, service: Service): string[] {
  const { unit, pid, course, isMissing } = service;
  const { line, words } = commandOf(diskOf(sys), service);
  if (course === 'failing' || course === 'failed') {
    const status = isMissing ? '203/EXEC' : '1/FAILURE';
    const code = `(code=exited, status=${status})`;
    return [`    Process: ${pid} ExecStart=${line} ${code}`, `   Main PID: ${pid} ${code}`, '        CPU: 62ms'];
  }
  const [tasks, memory] = SIZES[unit] ?? SMALL;
  return [
    `   Main PID: ${pid} (${unit})`,
    `      Tasks: ${tasks} (limit: 18914)`,
    `     Memory: ${memory}`,
    `     CGroup: /system.slice/${unit}.service`,
    `             └─${pid} ${words.join(' ')}`,
  ];
}

/** What the unit's files start: as it stands there, and as it runs. */
function commandOf(disk: Disk, { unit, dropIns, file }: Service): Pick<KubeletCommand, 'line' | 'words'> {
  if (unit === 'kubelet') return kubeletCommand(disk);
  const line = valueOf(disk.read(dropIns.at(-1) ?? file) ?? '', 'ExecStart') || `/usr/bin/${unit}`;
  return { line, words: line.split(' ') };
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** 'Sun 2026-11-22 16:07:35 UTC'. */
export function longTime(at: number): string {
  const date = new Date(at);
  return `${DAYS[date.getUTCDay()]} ${date.toISOString().slice(0, 10)} ${date.toISOString().slice(11, 19)} UTC`;
}

/** Two parts of a span, as systemd's format_timestamp_relative: '1h 2min', '5s', '3 days'. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)];
  if (days >= 2) return `${days} days`;
  if (days === 1) return `1 day ${hours - 24}h`;
  if (hours > 0) return `${hours}h ${minutes % 60}min`;
  if (minutes > 0) return `${minutes}min ${seconds % 60}s`;
  return seconds > 0 ? `${seconds}s` : `${Math.max(0, ms)}ms`;
}
