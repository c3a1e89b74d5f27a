import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';

const FOLDER = '/etc/mysql/conf.d';
const KNOWN: Readonly<Record<string, string>> = {
  'server-id': 'server_id',
  'read-only': 'read_only',
  'super-read-only': 'super_read_only',
  'log-bin': 'log_bin',
  'max-connections': 'max_connections',
};

/** Variables that option files set for mysqld: names may have dashes or underscores, a name alone means ON. */
export function readSettings(sys: Syscalls): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of filesOf(sys)) {
    let section = '';
    for (const line of readSmallFile(sys, `${FOLDER}/${name}`).split('\n')) {
      const text = line.split('#', 1)[0]!.trim();
      if (text.startsWith('[')) section = text;
      const [key = '', value] = text.split('=', 2);
      const variable = KNOWN[key.trim().replaceAll('_', '-')];
      if (section === '[mysqld]' && variable !== undefined) found[variable] = value === undefined ? 'ON' : onOff(value);
    }
  }
  if (found['super_read_only'] === 'ON') found['read_only'] = 'ON';
  return found;
}

const onOff = (value: string): string => (value.trim().toUpperCase() === 'ON' ? 'ON' : value.trim());

function filesOf(sys: Syscalls): string[] {
  try {
    return sys.readDirectory(FOLDER).filter((name) => name.endsWith('.cnf'));
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}
