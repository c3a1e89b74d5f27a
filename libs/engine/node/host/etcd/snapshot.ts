import type { Bytes } from '../../../kernel/bytes.js';
import { textOf } from '../../../kernel/bytes.js';
import type { RegistryRow } from '../views/registry-view.js';
import { readJson } from '../json.js';

/** What a snapshot's file, and the data that were restored from one, begin with. */
const HEADER = 'etcd snapshot ';
/** A node's services read so much of one file. */
export const MAX_SNAPSHOT_BYTES = 8 << 20;

/** Of the first line. */
export const MAX_HEADER_BYTES = 1_000;

/** The first line of a snapshot; its rows are the second, as JSON. */
export interface SnapshotHeader {
  readonly hash: string;
  readonly revision: number;
  readonly keys: number;
  /** Data that were restored: names the restoration. */
  readonly restored?: string;
}

export const formatSnapshot = (header: SnapshotHeader, rows: Bytes): Bytes =>
  `${HEADER}${JSON.stringify(header)}\n${rows}\n`;

/** Undefined: the file is no snapshot. */
export function readHeader(content: Bytes): SnapshotHeader | undefined {
  if (!content.startsWith(HEADER)) return undefined;
  const header = readJson(content.slice(HEADER.length, MAX_HEADER_BYTES).split('\n', 1)[0]!);
  return typeof header === 'object' && header !== null ? (header as SnapshotHeader) : undefined;
}

/** The rows of a snapshot, as bytes of JSON. */
export function rowsOfSnapshot(content: Bytes): Bytes {
  const from = content.indexOf('\n') + 1;
  return content.slice(from, content.indexOf('\n', from));
}

/** Undefined: they are damaged. */
export function parseRows(content: Bytes): readonly RegistryRow[] | undefined {
  const rows = readJson(textOf(rowsOfSnapshot(content)));
  return Array.isArray(rows) ? (rows as RegistryRow[]) : undefined;
}
