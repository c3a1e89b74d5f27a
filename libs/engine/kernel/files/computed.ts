import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import type { FileNode } from './file.js';
import type { ComputedFileSystem, ProcessRoot } from './computed-file-system.js';
import { joinPath } from './path.js';

/** What stands at a path of a computed tree. */
export type Entry =
  | {
      readonly type: 'directory';
      /** A function, where it takes something to know them. */
      readonly names: readonly Bytes[] | (() => readonly Bytes[]);
      readonly mode?: number;
      readonly owner?: Owner;
    }
  | {
      readonly type: 'file';
      readonly content: () => Bytes;
      readonly mode?: number;
      readonly owner?: Owner;
      readonly write?: (bytes: Bytes) => void;
      /** It stands on a read-only mount, for who looks. */
      readonly isReadOnly?: boolean;
    }
  | {
      readonly type: 'link';
      readonly target: Bytes;
      readonly description?: number;
      readonly root?: () => ProcessRoot;
      readonly owner?: Owner;
    }
  | {
      readonly type: 'char';
      readonly device: readonly [number, number];
      readonly mode: number;
      readonly owner?: Owner;
    };

interface Owner {
  readonly user: number;
  readonly group: number;
}

const DEFAULT_MODE = { directory: 0o555, file: 0o444, link: 0o777 };

/** A tree whose entries are functions of the machine: /proc, /sys, /dev/pts. Keys are paths. */
export class ComputedTree implements ComputedFileSystem {
  readonly isComputed = true;
  readonly root = '/';
  readonly limitBytes = 0;

  constructor(
    readonly id: string,
    private readonly bootedAt: number,
    private readonly entry: (path: Bytes) => Entry | undefined,
  ) {}

  find(directory: string, name: Bytes): string | undefined {
    const path = joinPath(directory, name);
    return this.entry(path) === undefined ? undefined : path;
  }

  node(key: string): FileNode | undefined {
    const entry = this.entry(key);
    if (entry === undefined) return undefined;
    const { user, group } = entry.owner ?? { user: 0, group: 0 };
    const common = { user, group, modified: this.bootedAt };
    if (entry.type === 'link') return { type: 'link', mode: DEFAULT_MODE.link, ...common, target: entry.target };
    if (entry.type === 'char') return { type: 'char', mode: entry.mode, ...common, device: entry.device };
    return { type: entry.type, mode: entry.mode ?? DEFAULT_MODE[entry.type], ...common };
  }

  links(key: string): number {
    return this.node(key)?.type === 'directory' ? 2 : 1;
  }

  names(directory: string): Bytes[] {
    const entry = this.entry(directory);
    if (entry?.type !== 'directory') return [];
    return [...(typeof entry.names === 'function' ? entry.names() : entry.names)].sort();
  }

  content(key: string): Bytes {
    const entry = this.entry(key);
    if (entry?.type !== 'file') throw new SystemError('ENOENT');
    return entry.content();
  }

  write(key: string, bytes: Bytes): void {
    const entry = this.entry(key);
    if (entry?.type !== 'file' || entry.write === undefined) throw new SystemError('EIO');
    entry.write(bytes);
  }

  isReadOnly(key: string): boolean {
    const entry = this.entry(key);
    return entry?.type === 'file' && entry.isReadOnly === true;
  }

  description(key: string): number | undefined {
    const entry = this.entry(key);
    return entry?.type === 'link' ? entry.description : undefined;
  }

  rootOf(key: string): ProcessRoot | undefined {
    const entry = this.entry(key);
    return entry?.type === 'link' ? entry.root?.() : undefined;
  }

  inodes(): number {
    return 0;
  }

  usedBytes(): number {
    return 0;
  }
}
