import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import { readSegments, writeSegments } from '../../sqlite/segments.js';
import type { DatabaseEntry, Role } from '../sql/catalog.js';
import { writeWholeFile } from '../../../../tools/whole-file.js';

/** What of a data directory is this server's own: its databases' pages, and a text for what all share. */
interface Shared {
  roles: Role[];
  databases: DatabaseEntry[];
}

const SHARED = 'global/1262';
const CONTROL = 'global/pg_control';

/** Where programs of Bitnami's are; they are built with /tmp for their sockets. */
const BITNAMI = '/opt/bitnami/postgresql';

/** The directory of the server's socket that this image's programs are built with. */
export const socketDirectory = (sys: Syscalls): string => (sys.access(BITNAMI, '') ? '/tmp' : '/var/run/postgresql');
export const socketPath = (sys: Syscalls, port: number | string): string => `${socketDirectory(sys)}/.s.PGSQL.${port}`;

/** A file of the data directory, which is its user's alone. Throws SystemError. */
export const writeData = (sys: Syscalls, path: string, content: string, mode = 0o600): void =>
  writeWholeFile(sys, path, content, { mode });

/** Undefined: the file is not what the server has written. */
export function readShared(sys: Syscalls, data: string): Shared | undefined {
  try {
    const shared = JSON.parse(readSmallFile(sys, `${data}/${SHARED}`)) as Shared;
    return Array.isArray(shared.roles) && Array.isArray(shared.databases) ? shared : undefined;
  } catch {
    return undefined;
  }
}

export const writeShared = (sys: Syscalls, data: string, shared: Shared): void =>
  writeData(sys, `${data}/${SHARED}`, JSON.stringify(shared));

/** 'shut down at MS' or 'in production since MS'. */
export const readControl = (sys: Syscalls, data: string): readonly [state: string, at: number] => {
  const [state = '', at = '0'] = readSmallFile(sys, `${data}/${CONTROL}`).split(' at ');
  return [state, Number(at)];
};
export const writeControl = (sys: Syscalls, data: string, state: string): void =>
  writeData(sys, `${data}/${CONTROL}`, `${state} at ${sys.now}`);

const directoryOf = (data: string, oid: number): string => `${data}/base/${oid}`;

export const readDatabase = (sys: Syscalls, data: string, oid: number): string =>
  readSegments(sys, directoryOf(data, oid), '');
export const writeDatabase = (sys: Syscalls, data: string, oid: number, before: string, after: string): void =>
  writeSegments(sys, directoryOf(data, oid), '', before, after);

export function makeDatabase(sys: Syscalls, data: string, oid: number): void {
  sys.makeDirectory(directoryOf(data, oid), 0o700);
  writeData(sys, `${directoryOf(data, oid)}/PG_VERSION`, readSmallFile(sys, `${data}/PG_VERSION`));
}

export function removeDatabase(sys: Syscalls, data: string, oid: number): void {
  const directory = directoryOf(data, oid);
  for (const name of sys.readDirectory(directory)) sys.unlink(`${directory}/${name}`);
  sys.removeDirectory(directory);
}
