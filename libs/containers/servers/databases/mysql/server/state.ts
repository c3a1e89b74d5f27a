import { textOf } from '../../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import type { Running } from '../../../serve.js';
import type { Session } from '../sql/contract.js';
import type { User } from './users.js';
import { writeWholeFile } from '../../../../tools/whole-file.js';

/** What mysqld knows, beside the files of its data directory. */
export type Own = {
  data: string;
  port: number;
  /** No TCP: while an entrypoint prepares it. */
  isLocal: boolean;
  problem: string;
  startedAt: number;
  isReady: boolean;
  endsAt: number | null;
  nextId: number;
  /** Of option files; absent: none. */
  settings?: Record<string, string>;
};
/** A connection's. */
export type Client = {
  phase: 'login' | 'switch' | 'ready' | 'dump' | 'link';
  id: number;
  nonce: string;
  plugin: string;
  session: Session;
};
export type Server = Running<Own>;

/** The databases that are always there. */
export const SYSTEM = ['information_schema', 'mysql', 'performance_schema', 'sys'];

export const usersPath = (data: string): string => `${data}/mysql/user.json`;

export function readUsers(sys: Syscalls, data: string): User[] | undefined {
  try {
    const users: unknown = JSON.parse(readSmallFile(sys, usersPath(data)));
    return Array.isArray(users) ? (users as User[]) : undefined;
  } catch {
    return undefined;
  }
}

export function writeUsers(sys: Syscalls, data: string, users: readonly User[]): void {
  writeWholeFile(sys, usersPath(data), JSON.stringify(users), { mode: 0o640 });
}

export function databasesOf({ sys, own }: Server): string[] {
  const names = sys.readDirectory(own.data).filter((name) => !name.startsWith('#') && !name.includes('.'));
  const isDirectory = (name: string): boolean => sys.stat(`${own.data}/${name}`).type === 'directory';
  return [...new Set([...SYSTEM, ...names.filter(isDirectory).map((name) => textOf(name))])].sort();
}

export const isMaria = (sys: Syscalls): boolean => sys.env['MARIADB_VERSION'] !== undefined;
