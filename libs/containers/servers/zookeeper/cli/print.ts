import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { ERROR, OPERATION, Record } from '../wire.js';
import type { Command } from './commands.js';

/** Days and months as java.util.Date prints them. */
function formatDate(at: number): string {
  const [day, month, date, year] = new Date(at)
    .toUTCString()
    .replace(',', '')
    .split(' ')
    .map((_, i, all) => all[[0, 2, 1, 3][i] ?? i]!);
  return `${day} ${month} ${date} ${new Date(at).toISOString().slice(11, 19)} UTC ${year}`;
}

function formatStat(record: Record): string {
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const [created, modified, createdAt, modifiedAt] = [record.long(), record.long(), record.long(), record.long()];
  const [version, cversion, aclVersion, owner] = [record.int(), record.int(), record.int(), record.long()];
  const [length, children, last] = [record.int(), record.int(), record.long()];
  return [
    `cZxid = ${hex(created)}\nctime = ${formatDate(createdAt)}\nmZxid = ${hex(modified)}\n`,
    `mtime = ${formatDate(modifiedAt)}\npZxid = ${hex(last)}\ncversion = ${cversion}\ndataVersion = ${version}\n`,
    `aclVersion = ${aclVersion}\nephemeralOwner = ${hex(owner)}\ndataLength = ${length}\nnumChildren = ${children}\n`,
  ].join('');
}

/** What zkCli prints of an answer's body. */
export function formatAnswer({ type, path, showsStat }: Command, body: Bytes): Bytes {
  const record = new Record(body);
  const stat = (): string => (showsStat ? formatStat(record) : '');
  switch (type) {
    case OPERATION.create:
      return `Created ${record.text()}\n`;
    case OPERATION.get:
      return `${record.text()}\n${stat()}`;
    case OPERATION.list2:
      return `[${record.list().join(', ')}]\n${stat()}`;
    case OPERATION.exists:
      return formatStat(record);
    case OPERATION.set:
      return stat();
    case OPERATION.getAcl:
      return `'world,'anyone\n: cdrwa\n`;
    case OPERATION.sync:
      return `Sync is OK\n`;
    default:
      return path === '' ? '\n' : '';
  }
}

/** What it says of an error. */
export function explainError(error: number, { path }: Command): Bytes {
  if (error === ERROR.noNode) return `Node does not exist: ${path}\n`;
  if (error === ERROR.nodeExists) return `Node already exists: ${path}\n`;
  if (error === ERROR.notEmpty) return `Node not empty: ${path}\n`;
  if (error === ERROR.badVersion) return `version No is not valid : ${path}\n`;
  if (error === ERROR.noChildrenOfEphemerals) return `Ephemerals cannot have children: ${path}\n`;
  const name =
    error === ERROR.connectionLoss ? 'ConnectionLoss' : error === ERROR.badArguments ? 'BadArguments' : 'Unimplemented';
  return `KeeperErrorCode = ${name} for ${path}\n`;
}
