import { SystemError } from '../errno.js';
import type { FileNode } from './file.js';

/** The part of a process that decides what it may do with files. */
export interface Credentials {
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
  /** Without CAP_; empty for users other than root. */
  readonly capabilities: readonly string[];
}

export const READ = 4;
export const WRITE = 2;
export const EXECUTE = 1;

/** Whether the mode's bits, or root's capabilities, allow all of READ, WRITE and EXECUTE that are asked for. */
export function isPermitted(node: FileNode, credentials: Credentials, asked: number): boolean {
  const bits = permissionBits(node, credentials);
  if ((bits & asked) === asked) return true;
  if (!credentials.capabilities.includes('DAC_OVERRIDE')) return false;
  return (asked & EXECUTE) === 0 || node.type === 'directory' || (node.mode & 0o111) !== 0;
}

function permissionBits(node: FileNode, credentials: Credentials): number {
  if (node.user === credentials.user) return (node.mode >> 6) & 7;
  if (isMember(credentials, node.group)) return (node.mode >> 3) & 7;
  return node.mode & 7;
}

export const isMember = (credentials: Credentials, group: number): boolean =>
  credentials.group === group || credentials.groups.includes(group);

export function requirePermission(node: FileNode, credentials: Credentials, asked: number): void {
  if (!isPermitted(node, credentials, asked)) throw new SystemError('EACCES');
}

/** chmod, utimes: the owner or root. */
export function requireOwner(node: FileNode, credentials: Credentials): void {
  if (node.user === credentials.user || credentials.capabilities.includes('FOWNER')) return;
  throw new SystemError('EPERM');
}

/** In a directory with the sticky bit, only the owner of the file or of the directory may take its name away. */
export function requireUnsticky(directory: FileNode, node: FileNode, credentials: Credentials): void {
  if ((directory.mode & 0o1000) === 0 || directory.user === credentials.user) return;
  if (node.user !== credentials.user && !credentials.capabilities.includes('FOWNER')) throw new SystemError('EPERM');
}
