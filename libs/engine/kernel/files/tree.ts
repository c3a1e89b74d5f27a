import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import { readContent, truncateContent, writeContent } from './content.js';
import type { FileNode, ImageFiles } from './file.js';
import { keptBytes, sizeOf, type FileSystem } from './file-system.js';
import type { LiveFiles } from './live.js';
import { IMPLIED_DIRECTORY, indexOf, type DirectoryIndex } from './lower.js';
import { joinPath, parentPath } from './path.js';

/**
 * One changed inode or name of a tree: what is written to the log. A store keeps the last row of each id, and forgets
 * the id of a row that has none of the other fields. Inodes have keys: the path in the layer below ('/etc/hosts'), or
 * '#7' for a new one.
 */
export interface FileRow {
  readonly id: string;
  readonly inode?: { readonly key: string; readonly node: FileNode; readonly links: number };
  /** A name in a directory; null: the name of the layer below is gone. */
  readonly name?: { readonly parent: string; readonly name: Bytes; readonly key: string | null };
  /** The number of the next new inode. */
  readonly next?: number;
}

interface Inode {
  node: FileNode;
  links: number;
}

const MAX_INODES = 100_000;
/** Content that a tree keeps above its layer; zeros at the end of a file are not kept. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const ROOT = '/';

/** Ids of rows. */
export const inodeRow = (key: string): string => `i${key}`;
export const nameRow = (parent: string, name: Bytes): string => `n${parent}\0${name}`;

/**
 * A tree of files: a layer that never changes, and the changes above it as rows. `limitBytes`: ENOSPC beyond it. Paths,
 * permissions and read-only mounts are not its business: it knows directories by key, and does what it is told.
 */
export class FileTree implements FileSystem {
  readonly root = ROOT;
  private lowerNames: DirectoryIndex;
  /** What the layer below is taken to have: the points where other trees are mounted. */
  private readonly implied = new Map<string, FileNode>();
  private readonly impliedNames = new Map<string, Set<Bytes>>();
  private readonly upper = new Map<string, Inode>();
  private readonly upperNames = new Map<string, Map<Bytes, string | null>>();
  /** Open files by key: an inode without a name lives until it is closed. */
  private readonly held = new Map<string, number>();
  private readonly changes = new Map<string, FileRow>();
  private next = 1;
  /** How often something was changed. */
  mutations = 0;
  private bytes = 0;
  /** Bytes of content in memory. */
  private kept = 0;

  constructor(
    readonly id: string,
    private lower: ImageFiles = {},
    rows: Iterable<FileRow> = [],
    readonly limitBytes = Infinity,
    /** What of the lower layer is made when it is read. */
    private readonly live?: LiveFiles,
  ) {
    this.lowerNames = indexOf(lower);
    this.restore(rows);
  }

  /** Takes up the rows of a tree that was written down. */
  restore(rows: Iterable<FileRow>): void {
    for (const row of rows) this.load(row);
  }

  private load(row: FileRow): void {
    if (row.inode !== undefined) {
      this.upper.set(row.inode.key, { node: row.inode.node, links: row.inode.links });
      this.count(row.inode.node, 1);
    }
    if (row.name !== undefined) this.namesAbove(row.name.parent).set(row.name.name, row.name.key);
    if (row.next !== undefined) this.next = row.next;
  }

  /** Takes up rows that somebody else has written down meanwhile: they are no changes of this tree's. */
  adopt(rows: Iterable<FileRow>): void {
    this.mutations++;
    for (const row of rows) {
      const before = row.inode && this.upper.get(row.inode.key);
      if (before) this.count(before.node, -1);
      this.load(row);
    }
  }

  /** A ConfigMap's or Secret's live update: the layer below is another. */
  replace(lower: ImageFiles): void {
    this.mutations++;
    this.lower = lower;
    this.lowerNames = indexOf(lower);
  }

  /** Whether takeChanges() has any. */
  get isChanged(): boolean {
    return this.changes.size > 0;
  }

  /** The rows that have changed since the last call. */
  takeChanges(): FileRow[] {
    const rows = [...this.changes.values()];
    this.changes.clear();
    return rows;
  }

  /** All rows: the tree written down. */
  rows(): FileRow[] {
    const rows: FileRow[] = [];
    for (const [key, { node, links }] of this.upper) {
      if (links > 0) rows.push({ id: inodeRow(key), inode: { key, node, links } });
    }
    for (const [parent, names] of this.upperNames) {
      for (const [name, key] of names) rows.push({ id: nameRow(parent, name), name: { parent, name, key } });
    }
    if (this.next > 1) rows.push({ id: 'next', next: this.next });
    return rows;
  }

  find(directory: string, name: Bytes): string | undefined {
    const above = this.upperNames.get(directory)?.get(name);
    if (above !== undefined) return above ?? undefined;
    return this.findBelow(directory, name);
  }

  private findBelow(directory: string, name: Bytes): string | undefined {
    if (this.isLive(directory) && this.live!.node(joinPath(directory, name))) return joinPath(directory, name);
    if (!this.lowerNames.get(directory)?.has(name) && !this.impliedNames.get(directory)?.has(name)) return undefined;
    return joinPath(directory, name);
  }

  node(key: string): FileNode | undefined {
    return this.upper.get(key)?.node ?? this.nodeBelow(key);
  }

  /** What is seen there may be another thing each time: a program that looks does not just go round. */
  private isLive(directory: string): boolean {
    if (!this.live?.covers(directory)) return false;
    this.mutations++;
    return true;
  }

  private nodeBelow(key: string): FileNode | undefined {
    if (this.live && key.startsWith('/') && this.isLive(parentPath(key)))
      return this.live.node(key) ?? this.implied.get(key);
    return this.lower[key] ?? this.implied.get(key) ?? (this.lowerNames.has(key) ? IMPLIED_DIRECTORY : undefined);
  }

  links(key: string): number {
    const node = this.node(key);
    if (node?.type !== 'directory') return this.upper.get(key)?.links ?? 1;
    const isDirectory = (name: Bytes): boolean => this.node(this.find(key, name) ?? '')?.type === 'directory';
    return 2 + this.names(key).filter(isDirectory).length;
  }

  names(directory: string): Bytes[] {
    const names = new Set([...(this.lowerNames.get(directory) ?? []), ...(this.impliedNames.get(directory) ?? [])]);
    if (this.isLive(directory)) for (const name of this.live!.names(directory)) names.add(name);
    for (const [name, key] of this.upperNames.get(directory) ?? []) {
      if (key === null) names.delete(name);
      else names.add(name);
    }
    return [...names].sort();
  }

  inodes(): number {
    return Object.keys(this.lower).length + this.upper.size + 1;
  }

  usedBytes(): number {
    return this.bytes;
  }

  /** Inodes above the layer below. */
  usedInodes(): number {
    return this.upper.size;
  }

  /** The file's length in bytes. */
  size(key: string): number {
    return sizeOf(this.existing(key));
  }

  /** Bytes of the file's content from an offset; '' at its end. */
  read(key: string, offset: number, max: number): Bytes {
    return readContent(this.existing(key), offset, max);
  }

  write(key: string, offset: number, bytes: Bytes, now: Millis): void {
    const node = this.existing(key);
    this.update(key, { ...writeContent(node, offset, bytes), modified: now, changed: now });
  }

  truncate(key: string, length: number, now: Millis): void {
    const node = this.existing(key);
    this.update(key, { ...truncateContent(node, length), modified: now, changed: now });
  }

  /** Changes fields of an inode; of one of the layer below: of its copy. Throws ENOSPC. */
  update(key: string, fields: Partial<FileNode>): void {
    const before = this.existing(key);
    const node: FileNode = { ...before, ...fields };
    const known = this.upper.get(key);
    this.requireSpace(node, known === undefined ? undefined : before);
    if (known !== undefined) this.count(before, -1);
    this.count(node, 1);
    this.store(key, node, known?.links ?? 1);
  }

  /** A new inode under a name. Throws ENOSPC. */
  create(parent: string, name: Bytes, node: FileNode, now: Millis): string {
    if (this.upper.size >= MAX_INODES) throw new SystemError('ENOSPC');
    this.requireSpace(node, undefined);
    this.count(node, 1);
    const key = `#${this.next++}`;
    this.changes.set('next', { id: 'next', next: this.next });
    this.store(key, node, 1);
    this.setName(parent, name, key, now);
    return key;
  }

  /** Another name of an inode. */
  link(parent: string, name: Bytes, key: string, now: Millis): void {
    const node = this.existing(key);
    if (!this.upper.has(key)) this.count(node, 1);
    this.store(key, { ...node, changed: now }, (this.upper.get(key)?.links ?? 1) + 1);
    this.setName(parent, name, key, now);
  }

  unlink(parent: string, name: Bytes, now: Millis): void {
    const key = this.find(parent, name);
    if (key === undefined) return;
    this.setName(parent, name, null, now);
    this.release(key, this.upper.get(key)?.links ?? 1);
  }

  /** What has the new name before is gone. */
  rename(parent: string, name: Bytes, newParent: string, newName: Bytes, now: Millis): void {
    const key = this.find(parent, name);
    if (key === undefined) throw new SystemError('ENOENT');
    if (this.find(newParent, newName) === key) return;
    this.unlink(newParent, newName, now);
    this.setName(parent, name, null, now);
    this.setName(newParent, newName, key, now);
  }

  /** An open file keeps its inode when its last name goes. */
  hold(key: string): void {
    this.held.set(key, (this.held.get(key) ?? 0) + 1);
  }

  letGo(key: string): void {
    const count = (this.held.get(key) ?? 1) - 1;
    if (count > 0) this.held.set(key, count);
    else this.held.delete(key);
    if (count === 0 && this.upper.get(key)?.links === 0) this.drop(key);
  }

  /** The inode of an open file that has no name, for a machine that is written down. */
  orphan(key: string): FileNode | undefined {
    const inode = this.upper.get(key);
    return inode?.links === 0 ? inode.node : undefined;
  }

  adoptOrphan(key: string, node: FileNode): void {
    if (this.upper.has(key)) return;
    this.upper.set(key, { node, links: 0 });
    this.count(node, 1);
  }

  /** Takes the layer below to have a node: a point that a container runtime makes for a mount. No row is written. */
  imply(parent: string, name: Bytes, node: FileNode): string {
    this.mutations++;
    const key = joinPath(parent, name);
    const names = this.impliedNames.get(parent);
    if (names === undefined) this.impliedNames.set(parent, new Set([name]));
    else names.add(name);
    this.implied.set(key, node);
    return key;
  }

  private count(node: FileNode, sign: 1 | -1): void {
    this.bytes += sign * bytesOfNode(node);
    this.kept += sign * keptBytes(node);
  }

  /** Throws ENOSPC when a node in the place of another is too large: for the tree, or for the simulation. */
  private requireSpace(node: FileNode, before: FileNode | undefined): void {
    const bytes = bytesOfNode(node) - (before === undefined ? 0 : bytesOfNode(before));
    const kept = keptBytes(node) - (before === undefined ? 0 : keptBytes(before));
    const isTooMuch = bytes > 0 && this.bytes + bytes > this.limitBytes;
    if (isTooMuch || (kept > 0 && this.kept + kept > MAX_KEPT_BYTES)) throw new SystemError('ENOSPC');
  }

  private existing(key: string): FileNode {
    const node = this.node(key);
    if (node === undefined) throw new SystemError('ENOENT');
    return node;
  }

  private store(key: string, node: FileNode, links: number): void {
    this.mutations++;
    this.upper.set(key, { node, links });
    if (links > 0) this.changes.set(inodeRow(key), { id: inodeRow(key), inode: { key, node, links } });
  }

  private setName(parent: string, name: Bytes, key: string | null, now: Millis): void {
    const id = nameRow(parent, name);
    const isBelow = this.findBelow(parent, name) !== undefined;
    if (key === null && !isBelow) {
      this.upperNames.get(parent)?.delete(name);
      this.changes.set(id, { id });
    } else {
      this.namesAbove(parent).set(name, key);
      this.changes.set(id, { id, name: { parent, name, key } });
    }
    this.store(parent, { ...this.existing(parent), modified: now, changed: now }, 1);
  }

  /** One name of the inode is gone. */
  private release(key: string, links: number): void {
    const node = this.node(key);
    this.mutations++;
    if (node === undefined) return;
    if (links > 1) return this.store(key, node, links - 1);
    this.changes.set(inodeRow(key), { id: inodeRow(key) });
    for (const name of this.upperNames.get(key)?.keys() ?? []) {
      this.changes.set(nameRow(key, name), { id: nameRow(key, name) });
    }
    this.upperNames.delete(key);
    if (this.held.has(key)) {
      if (!this.upper.has(key)) this.count(node, 1);
      this.upper.set(key, { node, links: 0 });
    } else if (this.upper.has(key)) this.drop(key);
  }

  private drop(key: string): void {
    const inode = this.upper.get(key);
    if (inode !== undefined) this.count(inode.node, -1);
    this.upper.delete(key);
  }

  private namesAbove(parent: string): Map<Bytes, string | null> {
    const known = this.upperNames.get(parent);
    if (known !== undefined) return known;
    const names = new Map<Bytes, string | null>();
    this.upperNames.set(parent, names);
    return names;
  }
}

/** What counts against a tree's limit. */
const bytesOfNode = (node: FileNode): number => (node.type === 'file' ? sizeOf(node) : 0);
