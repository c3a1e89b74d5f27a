import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { FileNode, FileStat } from '../../../engine/kernel/files/file.js';
import type { OpenFlags } from '../../../engine/kernel/process/syscalls.js';
import type { Node } from './node.js';
import type { Open } from './open-files.js';

/** When files were made, and what time it is. */
export const START = Date.UTC(2026, 0, 2, 3, 4, 5);
export const NOW = Date.UTC(2026, 10, 22, 12);
/** Files in memory. */
export class TestTree {
  now = NOW;
  user = 0;
  umask = 0o022;
  private inodes = 1;
  protected readonly root: Node = this.newNode({ type: 'directory', mode: 0o755 });
  protected newNode(node: Partial<FileNode>): Node {
    const base = { type: 'file' as const, mode: 0o644, user: 0, group: 0, modified: START, inode: this.inodes++ };
    const made: Node = { ...base, ...node };
    if (made.type === 'directory') made.children = new Map();
    if (made.type === 'file') made.content ??= '';
    return made;
  }

  protected makePath(path: Bytes): Node {
    let node = this.root;
    for (const name of path.split('/').filter(Boolean)) {
      let next = node.children!.get(name);
      if (next === undefined) node.children!.set(name, (next = this.newNode({ type: 'directory', mode: 0o755 })));
      node = next;
    }
    return node;
  }

  protected place(path: Bytes, file: Partial<FileNode>): void {
    const at = path.lastIndexOf('/');
    this.makePath(path.slice(0, at)).children!.set(path.slice(at + 1), this.newNode(file));
  }

  protected resolve(path: Bytes, cwd: Bytes): Bytes {
    if (path === '') throw new SystemError('ENOENT');
    return path.startsWith('/') ? path : `${cwd}/${path}`;
  }

  protected walk(path: Bytes, follow: boolean, depth = 0): { parent: Node; name: Bytes; node?: Node; path: Bytes } {
    if (depth > 40) throw new SystemError('ELOOP');
    const stack: { node: Node; name: Bytes }[] = [{ node: this.root, name: '' }];
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    const isDirectoryPath = path.endsWith('/') || path.endsWith('/.');
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const isLast = i === names.length - 1;
      const { node } = stack.at(-1)!;
      if (node.type !== 'directory') throw new SystemError('ENOTDIR');
      if (name === '..') {
        if (stack.length > 1) stack.pop();
        continue;
      }
      const child = node.children!.get(name);
      const here = `${stack.map((entry) => entry.name).join('/')}/${name}`;
      if (child === undefined) {
        if (isLast) return { parent: node, name, path: here };
        throw new SystemError('ENOENT');
      }
      if (child.type === 'link' && (!isLast || follow || isDirectoryPath)) {
        const base = stack.map((entry) => entry.name).join('/') || '/';
        const rest = names.slice(i + 1).join('/');
        const target = this.resolve(child.target!, base) + (rest === '' ? '' : `/${rest}`);
        return this.walk(target, follow, depth + 1);
      }
      stack.push({ node: child, name });
    }
    const { node, name } = stack.at(-1)!;
    if (isDirectoryPath && node.type !== 'directory') throw new SystemError('ENOTDIR');
    const parent = stack.at(-2)?.node ?? this.root;
    return { parent, name, node, path: stack.map((entry) => entry.name).join('/') || '/' };
  }

  protected find(path: Bytes, cwd: Bytes, follow = true): Node {
    const { node } = this.walk(this.resolve(path, cwd), follow);
    if (node === undefined) throw new SystemError('ENOENT');
    return node;
  }

  protected openFile(path: Bytes, flags: OpenFlags, mode = 0o666): Open {
    const { parent, name, node: found } = this.walk(path, true);
    let node = found;
    if (node === undefined) {
      if (flags.create !== true) throw new SystemError('ENOENT');
      parent.children!.set(name, (node = this.newNode({ mode: mode & ~this.umask, modified: this.now })));
    } else if (flags.exclusive === true) throw new SystemError('EEXIST');
    if (node.type === 'directory' && flags.write === true) throw new SystemError('EISDIR');
    if (node.type !== 'directory' && flags.directory === true) throw new SystemError('ENOTDIR');
    const forbidden = this.user !== 0 && (node.mode & (flags.write === true ? 0o222 : 0o444)) === 0;
    if (forbidden) throw new SystemError('EACCES');
    if (flags.truncate === true && node.type === 'file') node.content = '';
    return { kind: 'file', node, flags, offset: 0, uses: 0 };
  }

  protected statOf(node: Node, links = 1): FileStat {
    const size = node.size ?? node.content?.length ?? node.target?.length ?? (node.type === 'directory' ? 4096 : 0);
    return {
      ...{ type: node.type, mode: node.mode, user: node.user, group: node.group, size, inode: node.inode },
      links:
        node.type === 'directory'
          ? 2 + [...node.children!.values()].filter((c) => c.type === 'directory').length
          : links,
      ...{ modified: node.modified, accessed: node.accessed ?? node.modified, changed: node.changed ?? node.modified },
      ...{ device: node.device ?? [0, 0], fileSystem: 'overlay' },
      blocks: node.type === 'link' ? 0 : Math.ceil(size / 4096) * 8,
    };
  }

  protected countLinks(node: Node, under = this.root): number {
    let count = 0;
    for (const child of under.children!.values()) {
      if (child === node) count++;
      if (child.type === 'directory') count += this.countLinks(node, child);
    }
    return count;
  }
}
