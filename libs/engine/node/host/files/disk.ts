import type { Bytes } from '../../../kernel/bytes.js';
import type { FileTree } from '../../../kernel/files/tree.js';

/** A node's disk, as its services read it. Paths are absolute. */
export interface Disk {
  /** A file's content, at most so many bytes of it; undefined when there is no such file. Links are followed. */
  read(path: string, limit?: number): Bytes | undefined;
  /** Whether there is such a file. */
  has(path: string): boolean;
  /** The names in a directory, in the order of bytes; none when there is no such directory. */
  list(path: string): readonly string[];
}

const MAX_LINKS = 40;
/** What a service reads of one file. */
const MAX_READ = 1 << 20;

/** The disk that a tree of files is, without the permissions that root does not ask for. */
export class TreeDisk implements Disk {
  constructor(private readonly tree: FileTree) {}

  has(path: string): boolean {
    return this.findFile(path) !== undefined;
  }

  read(path: string, limit = MAX_READ): Bytes | undefined {
    const key = this.findFile(path);
    return key === undefined ? undefined : this.tree.read(key, 0, limit);
  }

  list(path: string): readonly string[] {
    const key = this.find(path);
    return key !== undefined && this.tree.node(key)?.type === 'directory' ? this.tree.names(key) : [];
  }

  private findFile(path: string): string | undefined {
    const key = this.find(path);
    return key !== undefined && this.tree.node(key)?.type === 'file' ? key : undefined;
  }

  private find(path: string): string | undefined {
    const { tree } = this;
    const left = split(path).reverse();
    let stack = [tree.root];
    for (let links = 0; left.length > 0;) {
      const name = left.pop()!;
      if (name === '..') {
        if (stack.length > 1) stack.pop();
        continue;
      }
      const key = tree.find(stack.at(-1)!, name);
      const node = key === undefined ? undefined : tree.node(key);
      if (key === undefined || node === undefined) return undefined;
      if (node.type !== 'link') {
        stack.push(key);
        continue;
      }
      if (++links > MAX_LINKS) return undefined;
      const target = node.target ?? '';
      if (target.startsWith('/')) stack = [tree.root];
      left.push(...split(target).reverse());
    }
    return stack.at(-1);
  }
}

const split = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');
