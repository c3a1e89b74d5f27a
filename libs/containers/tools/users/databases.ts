import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { digestOf } from '../../../engine/node/digest.js';
import { DAY } from '../../../engine/machinery/time/time.js';
import { readSmallFile } from '../accounts.js';
import { writeFile } from '../node/disk.js';
import { type CommandContext, ToolFailure } from '../framework/tool.js';

/** A line of /etc/passwd, /etc/group or /etc/shadow. */
export type Row = string[];

export const PASSWD = '/etc/passwd';
export const GROUP = '/etc/group';
export const SHADOW = '/etc/shadow';
/** Fields of their rows. */
export const FIELDS = { [PASSWD]: 7, [GROUP]: 4, [SHADOW]: 9 } as const;
type Path = keyof typeof FIELDS;

/** Where an account has what. */
export const USER = { name: 0, id: 2, group: 3, comment: 4, home: 5, shell: 6 } as const;
export const TEAM = { name: 0, id: 2, members: 3 } as const;
export const SECRET = { name: 0, hash: 1, changed: 2, least: 3, most: 4, warn: 5, inactive: 6, expires: 7 } as const;

export const EXIT = { usage: 2, argument: 3, idInUse: 4, notFound: 6, nameInUse: 9, busy: 8, badName: 19 } as const;

/** The tables of accounts, which are written when a tool has done its work. */
export class Databases {
  private readonly tables = new Map<Path, Row[]>();

  constructor(private readonly sys: Syscalls) {}

  rows(path: Path): Row[] {
    const known = this.tables.get(path);
    if (known) return known;
    const rows = readSmallFile(this.sys, path)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [...line.split(':'), ...Array.from({ length: FIELDS[path] }, () => '')].slice(0, FIELDS[path]));
    this.tables.set(path, rows);
    return rows;
  }

  find(path: Path, name: Bytes): Row | undefined {
    return this.rows(path).find(([one]) => one === name);
  }

  remove(path: Path, name: Bytes): void {
    this.tables.set(
      path,
      this.rows(path).filter(([one]) => one !== name),
    );
  }

  /** Only what was read: files that nobody asked for stay as they are. */
  save(): void {
    for (const [path, rows] of this.tables)
      writeFile(this.sys, path, rows.map((row) => `${row.join(':')}\n`).join(''), path === SHADOW ? 0o640 : 0o644);
  }
}

/** These tools are root's. Throws in shadow's words. */
export function requireRoot({ sys, name }: CommandContext, path: string): void {
  if (sys.user === 0) return;
  throw new ToolFailure(`Permission denied.\n${name}: cannot lock ${path}; try again later.`, 1);
}

/** Days since 1970, as /etc/shadow counts. */
export const today = (sys: Syscalls): number => Math.floor(sys.clock / DAY);

/** 1000 and on for people, 999 and down for services: the next after, or before, what is in use. */
export function nextId(used: readonly number[], isSystem: boolean): number {
  const own = used.filter((id) => (isSystem ? id >= 100 && id <= 999 : id >= 1_000 && id <= 60_000));
  if (own.length === 0) return isSystem ? 999 : 1_000;
  if (!isSystem) return Math.max(...own) + 1;
  let id = 999;
  while (own.includes(id)) id--;
  return id;
}

/** Names that Debian's shadow takes. */
export const isGoodName = (name: Bytes): boolean => /^[a-z_][a-z0-9_.-]{0,31}\$?$/i.test(name) && !/^\d+$/.test(name);

/** What stands for a yescrypt hash: whoever knows the password gets the same again. */
export function hashPassword(sys: Syscalls, password: Bytes): string {
  const salt = digestOf(String(sys.random())).slice(0, 22);
  return sealPassword(salt, password);
}

const sealPassword = (salt: string, password: Bytes): string =>
  `$y$j9T$${salt}$${digestOf(`${salt}/${password}`).slice(0, 43)}`;

export function isPassword(hash: string, password: Bytes): boolean {
  const salt = /^\$y\$j9T\$([0-9a-f]+)\$/.exec(hash)?.[1];
  return salt !== undefined && sealPassword(salt, password) === hash;
}

export function exists(sys: Syscalls, path: Bytes): boolean {
  try {
    sys.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}
