import type { HostPathVolumeSource } from '../../../api/core_v1.js';
import type { FileType } from '../../../kernel/files/file.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import { resolveInTree } from './tree-path.js';

/** What a hostPath's type asks for, in upstream's words. */
const CHECKS: Readonly<Record<string, { readonly type: FileType; readonly words: string }>> = {
  Directory: { type: 'directory', words: 'a directory' },
  DirectoryOrCreate: { type: 'directory', words: 'a directory' },
  File: { type: 'file', words: 'a file' },
  FileOrCreate: { type: 'file', words: 'a file' },
  Socket: { type: 'socket', words: 'a socket file' },
  CharDevice: { type: 'char', words: 'a character device' },
  BlockDevice: { type: 'block', words: 'a block device' },
};
const MAKES = new Set(['DirectoryOrCreate', 'FileOrCreate']);

/** Why a hostPath volume cannot be mounted. Models pkg/volume/hostpath/host_path.go checkTypeInternal. */
export function findHostPathProblem({ path, type = '' }: HostPathVolumeSource, disk: FileTree): string | undefined {
  const check = CHECKS[type];
  if (!check) return undefined;
  const key = resolveInTree(disk, path);
  const node = key === undefined ? undefined : disk.node(key);
  if (!node && MAKES.has(type)) return undefined;
  if (node?.type === check.type) return undefined;
  return `hostPath type check failed: ${path} is not ${check.words}`;
}
