import type { Bytes } from '../../../engine/kernel/bytes.js';
import { isGzip, unzip } from '../archive/gzip-format.js';
import type { TarEntry } from '../archive/tar-format.js';
import { newReading, readPiece } from '../archive/tar-reader.js';

const MAGIC = '!<arch>\n';
const HEADER = 60;

export interface DebEntry {
  readonly entry: TarEntry;
  readonly content: Bytes;
}

/** What a package of Debian says of itself, and its files. */
export interface Deb {
  readonly name: string;
  readonly version: string;
  readonly entries: readonly DebEntry[];
}

/**
 * Reads an archive of deb(5). `problem`: it is none ('format'), or a member is compressed in another way than by gzip:
 * the member's name.
 */
export function parseDeb(bytes: Bytes): Deb | { readonly problem: string } {
  const members = membersOf(bytes);
  if (!members?.has('debian-binary')) return { problem: 'format' };
  const parts = ['control.tar', 'data.tar'].map((name) => [...members].find(([one]) => one.startsWith(name)));
  const [control, data] = parts.map((part) => part && openTar(part[1]));
  const unread = parts.find((part, i) => part && [control, data][i] === undefined);
  if (unread) return { problem: unread[0] };
  const fields = control?.find(({ entry: { name } }) => /^(\.\/)?control$/.test(name))?.content ?? '';
  const field = (name: string): string | undefined => new RegExp(`^${name}: *(.*)$`, 'm').exec(fields)?.[1]?.trim();
  const [name, version] = [field('Package'), field('Version')];
  return name && version && data ? { name, version, entries: data } : { problem: 'format' };
}

/** Models ar(5). Undefined: it is not one. */
function membersOf(bytes: Bytes): Map<string, Bytes> | undefined {
  if (!bytes.startsWith(MAGIC)) return undefined;
  const members = new Map<string, Bytes>();
  for (let at = MAGIC.length; at + HEADER <= bytes.length;) {
    const size = Number(bytes.slice(at + 48, at + 58).trim());
    if (bytes.slice(at + 58, at + HEADER) !== '`\n' || !Number.isInteger(size) || size < 0) return undefined;
    const name = bytes
      .slice(at, at + 16)
      .trim()
      .replace(/\/$/, '');
    members.set(name, bytes.slice(at + HEADER, at + HEADER + size));
    at += HEADER + size + (size % 2);
  }
  return members;
}

/** Undefined: it is packed in a way that is not known here. */
function openTar(packed: Bytes): DebEntry[] | undefined {
  const bytes = isGzip(packed) ? unzip(packed) : packed;
  if (bytes === undefined) return undefined;
  const entries: { entry: TarEntry; content: Bytes }[] = [];
  const state = { isArchive: true };
  readPiece(newReading(), bytes, {
    begin: (entry) => void entries.push({ entry, content: '' }),
    content: (piece) => void (entries.at(-1)!.content += piece),
    finish: () => undefined,
    garbage: () => void (state.isArchive = false),
  });
  return state.isArchive ? entries : undefined;
}
