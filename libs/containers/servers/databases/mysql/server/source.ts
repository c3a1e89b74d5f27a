import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../../tools/accounts.js';
import type { Result } from '../sql/contract.js';
import { MyFailure } from '../failure.js';
import { writeWholeFile } from '../../../../tools/whole-file.js';

/** Where a replica has its changes from. */
export interface Source {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Seconds. */
  readonly retry: number;
  readonly isRunning: boolean;
}

const NONE: Source = { host: '', port: 3_306, user: '', password: '', retry: 60, isRunning: false };
const DONE: Result = { changes: 0, lastInsertId: 0 };
const LOG = ['mysql-bin.000003', '154'] as const;
const OPTION = /\b(?:MASTER|SOURCE)_(HOST|USER|PASSWORD|PORT|CONNECT_RETRY)\s*=\s*(?:'([^']*)'|(\d+))/gi;

const pathOf = (data: string): string => `${data}/master.info`;

export function readSource(sys: Syscalls, data: string): Source | undefined {
  if (!sys.access(pathOf(data), '')) return undefined;
  try {
    return { ...NONE, ...(JSON.parse(readSmallFile(sys, pathOf(data))) as Partial<Source>) };
  } catch {
    return undefined;
  }
}

function writeSource(sys: Syscalls, data: string, source: Source): void {
  writeWholeFile(sys, pathOf(data), JSON.stringify(source), { mode: 0o640 });
}

/**
 * CHANGE MASTER TO, START SLAVE and their like; undefined for other statements. Models sql/rpl_replica.cc. Left out:
 * positions and files of the binary log, filters, channels.
 */
export function replicate(sys: Syscalls, data: string, text: string): Result | undefined {
  const words = text.trim().replace(/;$/, '').toLowerCase().split(/\s+/, 4);
  const [first = '', second = ''] = words;
  const isReplica = second === 'slave' || second === 'replica';
  if (first === 'change' && (second === 'master' || second === 'replication')) {
    writeSource(sys, data, changed(readSource(sys, data) ?? NONE, text));
    return DONE;
  }
  if (isReplica && (first === 'start' || first === 'stop')) {
    const source = readSource(sys, data);
    if (!source?.host)
      throw new MyFailure(
        1200,
        'HY000',
        'The server is not configured as slave; fix in config file or with CHANGE MASTER TO',
      );
    writeSource(sys, data, { ...source, isRunning: first === 'start' });
    return DONE;
  }
  if (isReplica && first === 'reset') {
    writeSource(sys, data, NONE);
    return DONE;
  }
  if (first !== 'show' || words[2] !== 'status') return undefined;
  if (second === 'master')
    return table([
      ['File', LOG[0]],
      ['Position', LOG[1]],
      ['Binlog_Do_DB', ''],
      ['Binlog_Ignore_DB', ''],
    ]);
  return isReplica ? statusOf(readSource(sys, data)) : undefined;
}

function changed(source: Source, text: string): Source {
  const found: Record<string, string> = {};
  for (const [, name = '', quoted, bare] of text.matchAll(OPTION)) found[name.toUpperCase()] = quoted ?? bare ?? '';
  return {
    ...source,
    host: found['HOST'] ?? source.host,
    user: found['USER'] ?? source.user,
    password: found['PASSWORD'] ?? source.password,
    port: Number(found['PORT'] ?? source.port),
    retry: Number(found['CONNECT_RETRY'] ?? source.retry),
  };
}

function statusOf(source: Source | undefined): Result {
  if (!source?.host) return { ...table([['Slave_IO_State', '']]), rows: [] };
  const runs = source.isRunning ? 'Yes' : 'No';
  return table([
    ['Slave_IO_State', source.isRunning ? 'Waiting for master to send event' : ''],
    ['Master_Host', source.host],
    ['Master_User', source.user],
    ['Master_Port', String(source.port)],
    ['Connect_Retry', String(source.retry)],
    ['Master_Log_File', LOG[0]],
    ['Read_Master_Log_Pos', LOG[1]],
    ['Slave_IO_Running', runs],
    ['Slave_SQL_Running', runs],
    ['Last_Errno', '0'],
    ['Last_Error', ''],
    ['Seconds_Behind_Master', source.isRunning ? '0' : ''],
  ]);
}

const table = (cells: readonly (readonly [string, string])[]): Result => ({
  ...DONE,
  columns: cells.map(([name]) => ({ name, type: 'text' })),
  rows: [cells.map(([, value]) => value)],
});
