import type { Bytes } from '../../engine/kernel/bytes.js';
import { SystemError } from '../../engine/kernel/errno.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';

export interface User {
  readonly name: Bytes;
  readonly id: number;
  readonly group: number;
  readonly home: Bytes;
  readonly shell: Bytes;
}

export interface Group {
  readonly name: Bytes;
  readonly id: number;
  readonly members: readonly Bytes[];
}

/** The machine's own /etc/passwd and /etc/group. */
export interface Names {
  readonly users: readonly User[];
  readonly groups: readonly Group[];
}

export function readNames(sys: Syscalls): Names {
  const users = readRows(sys, '/etc/passwd').map(([name = '', , id, group, , home = '', shell = '']) => {
    return { name, id: Number(id), group: Number(group), home, shell };
  });
  const groups = readRows(sys, '/etc/group').map(([name = '', , id, members = '']) => {
    return { name, id: Number(id), members: members.split(',').filter(Boolean) };
  });
  return { users, groups };
}

function readRows(sys: Syscalls, path: Bytes): Bytes[][] {
  return readSmallFile(sys, path)
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => line.split(':'));
}

/** A small file of the system; '' when it cannot be read. */
export function readSmallFile(sys: Syscalls, path: Bytes): Bytes {
  try {
    const descriptor = sys.open(path, { read: true });
    let text = '';
    for (let chunk = sys.read(descriptor); chunk !== undefined && chunk !== ''; chunk = sys.read(descriptor))
      text += chunk;
    sys.close(descriptor);
    return text;
  } catch (error) {
    if (error instanceof SystemError) return '';
    throw error;
  }
}

export const userName = ({ users }: Names, id: number): Bytes =>
  users.find((user) => user.id === id)?.name ?? String(id);

export const groupName = ({ groups }: Names, id: number): Bytes =>
  groups.find((group) => group.id === id)?.name ?? String(id);

/** A name or a number. */
export function findUser({ users }: Names, text: Bytes): number | undefined {
  return users.find(({ name }) => name === text)?.id ?? (/^\d+$/.test(text) ? Number(text) : undefined);
}

export function findGroup({ groups }: Names, text: Bytes): number | undefined {
  return groups.find(({ name }) => name === text)?.id ?? (/^\d+$/.test(text) ? Number(text) : undefined);
}
