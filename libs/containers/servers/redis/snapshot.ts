import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { Database } from './database.js';
import type { Own } from './own.js';
import { writeWholeFile } from '../../tools/whole-file.js';

/** The file of a snapshot: a text of our own behind the magic word of an RDB file. */
const MAGIC = 'REDIS-TERRARIUM-1\n';
const MAX_FILE = 32 << 20;
const CHUNK = 65_536;

export const snapshotPath = ({ configuration }: Own): Bytes => `${configuration['dir']}/${configuration['dbfilename']}`;

/** Throws SystemError when the file cannot be written. */
export function saveSnapshot(sys: Syscalls, own: Own): void {
  const path = snapshotPath(own);
  const temporary = `${configurationDirectory(own)}/temp-${sys.pid}.rdb`;
  writeWholeFile(sys, temporary, formatSnapshot(own));
  sys.rename(temporary, path);
  own.dirty = 0;
  own.savedAt = sys.now;
}

const configurationDirectory = ({ configuration }: Own): Bytes => configuration['dir'] ?? '.';

/** 'bad': it is there, but no snapshot. */
export function loadSnapshot(sys: Syscalls, own: Own): Database[] | 'bad' | undefined {
  let text = '';
  try {
    const descriptor = sys.open(snapshotPath(own), { read: true });
    for (let part = sys.read(descriptor, CHUNK); part; part = sys.read(descriptor, CHUNK)) {
      text += part;
      if (text.length > MAX_FILE) break;
    }
    sys.close(descriptor);
  } catch (error) {
    if (error instanceof SystemError && error.code === 'ENOENT') return undefined;
    if (error instanceof SystemError) return 'bad';
    throw error;
  }
  return parseSnapshot(text);
}

/** All data as a text. */
export const formatSnapshot = (own: Own): Bytes => MAGIC + JSON.stringify(own.databases);

export function parseSnapshot(text: Bytes): Database[] | 'bad' {
  if (!text.startsWith(MAGIC)) return 'bad';
  try {
    const databases: unknown = JSON.parse(text.slice(MAGIC.length));
    return Array.isArray(databases) && databases.every(isDatabase) ? databases : 'bad';
  } catch {
    return 'bad';
  }
}

function isDatabase(value: unknown): value is Database {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((entry: { type?: unknown; value?: unknown } | null) => {
      if (typeof entry !== 'object' || entry === null) return false;
      if (entry.type === 'string') return typeof entry.value === 'string';
      if (entry.type === 'list') return Array.isArray(entry.value);
      if (entry.type === 'stream') return Array.isArray((entry.value as { entries?: unknown } | null)?.entries);
      return (
        ['hash', 'set', 'zset'].includes(String(entry.type)) && typeof entry.value === 'object' && entry.value !== null
      );
    })
  );
}
