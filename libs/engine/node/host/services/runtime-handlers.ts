import { textOf } from '../../../kernel/bytes.js';
import type { RuntimeHandlers } from '../../../kinds/terrarium/noderuntime/kind.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import type { Disk } from '../files/disk.js';

export const CONTAINERD_CONFIG_FILE = '/etc/containerd/config.toml';
/** Files that one configuration imports. */
const MAX_IMPORTS = 20;

/** The plug-in that has the handlers, by the version of the configuration. */
const PLUGINS: Readonly<Record<number, string>> = { 2: 'io.containerd.grpc.v1.cri', 3: 'io.containerd.cri.v1.runtime' };
const OLDEST = 2;

/** containerd's own default, and what a node is set up with beside it. */
const RUNC = { runc: 'io.containerd.runc.v2' };
export const DEFAULT_HANDLERS: RuntimeHandlers = { ...RUNC, 'test-handler': 'io.containerd.runc.v2' };

/**
 * The handlers of RuntimeClasses that a containerd which starts now has: names, and the runtimes that they stand for
 * ('io.containerd.runsc.v1'). Undefined: those that a node is set up with. Models containerd's internal/cri/config.
 */
export function readHandlers(disk: Disk): RuntimeHandlers | undefined {
  const handlers: Record<string, string> = { ...RUNC };
  for (const text of configurations(disk)) {
    const plugin = PLUGINS[versionOf(text)];
    for (const { path, values } of tablesOf(text)) {
      const [root, owner, containerd, runtimes, name, ...rest] = path;
      const isHandler =
        root === 'plugins' && owner === plugin && containerd === 'containerd' && runtimes === 'runtimes';
      if (isHandler && name !== undefined && rest.length === 0)
        handlers[name] = values.get('runtime_type') ?? handlers[name] ?? '';
    }
  }
  return deepEqual(handlers, DEFAULT_HANDLERS) ? undefined : handlers;
}

function configurations(disk: Disk): string[] {
  const text = textOf(disk.read(CONTAINERD_CONFIG_FILE) ?? '');
  const imports = /^imports\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1] ?? '';
  const patterns = [...imports.matchAll(/["']([^"']+)["']/g)].map(([, pattern = '']) => pattern);
  const files = patterns.flatMap((pattern) => matching(disk, pattern)).slice(0, MAX_IMPORTS);
  return [text, ...files.map((file) => textOf(disk.read(file) ?? ''))];
}

/** Files of a pattern whose last part only has a star. */
function matching(disk: Disk, pattern: string): string[] {
  const at = pattern.lastIndexOf('/');
  const [folder, last] = [pattern.slice(0, at), pattern.slice(at + 1)];
  const [before = '', after] = last.split('*', 2);
  if (after === undefined) return [pattern];
  return disk
    .list(folder)
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => `${folder}/${name}`);
}

const versionOf = (text: string): number => Number(/^version\s*=\s*(\d+)/m.exec(text)?.[1] ?? OLDEST);

interface Table {
  readonly path: readonly string[];
  readonly values: Map<string, string>;
}

/** TOML's tables and their strings; what else it has names no handler. */
function tablesOf(text: string): Table[] {
  const tables: Table[] = [];
  for (const line of text.split('\n')) {
    const header = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined) tables.push({ path: keysOf(header), values: new Map() });
    const [, name = '', value] = /^\s*([\w-]+)\s*=\s*["']([^"']*)["']/.exec(line) ?? [];
    if (value !== undefined) tables.at(-1)?.values.set(name, value);
  }
  return tables;
}

const keysOf = (header: string): string[] =>
  [...header.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(([, one, two, bare]) => one ?? two ?? bare ?? '');

/** The binary that containerd starts for a runtime: 'containerd-shim-runsc-v1' for 'io.containerd.runsc.v1'. */
export function shimOf(runtime: string): string | undefined {
  const parts = runtime.split('.');
  return parts.length < 2 ? undefined : `containerd-shim-${parts.slice(-2).join('-')}`;
}

/** Where containerd looks for it. */
export const SHIM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];
