import { hash32 } from '../../../machinery/random.js';
import type { Millis } from '../../../machinery/time/time.js';
import { bytesOf, type Bytes } from '../../../kernel/bytes.js';
import type { FileNode, ImageFiles } from '../../../kernel/files/file.js';
import { readLater } from '../../../kernel/files/lazy-file.js';

/** One file of a volume that the kubelet writes. */
export interface PayloadFile {
  /** Read when the file is: a token is signed then. */
  readonly content: Bytes;
  /** What the content is known by, where it is not to be read for that. */
  readonly version?: string;
  /** 0o644 for example. */
  readonly mode: number;
  /** By default root. */
  readonly user?: number;
}

/** Files by their path in the volume, such as 'a/b'. Paths are UTF-8 text. */
export type Payload = Readonly<Record<string, PayloadFile>>;

export interface AtomicVolume {
  readonly payload: Payload;
  /** Of the volume's root folder: 0o777, or 0o1777 on a tmpfs. */
  readonly rootMode: number;
  readonly fsGroup: number | undefined;
  /** When the payload was written. */
  readonly at: Millis;
  /** Names the volume, so that each has folder names of its own. */
  readonly seed: string;
}

const SETGID = 0o2000;
/** What a volume's group gets on folders and read-only files. Models pkg/volume/volume_linux.go SetVolumeOwnership. */
const GROUP_DIRECTORY = SETGID | 0o550;
const GROUP_FILE = 0o440;

/**
 * The files as the kubelet lays them out: in a folder named by the time, to which '..data' leads, and a link for each
 * name of the first level. Models pkg/volume/util/atomic_writer.go.
 */
export function layOut({ payload, rootMode, fsGroup, at, seed }: AtomicVolume): ImageFiles {
  const folder = folderName(payload, at, seed);
  const group = fsGroup ?? 0;
  const directory = (mode: number): FileNode => ({
    type: 'directory',
    mode: fsGroup === undefined ? mode : mode | GROUP_DIRECTORY,
    user: 0,
    group,
    modified: at,
  });
  const link = (target: Bytes): FileNode => ({ type: 'link', mode: 0o777, user: 0, group: 0, modified: at, target });
  const files: Record<string, FileNode> = {
    '/': directory(rootMode),
    [`/${folder}`]: directory(0o755),
    '/..data': link(folder),
  };
  for (const [text, file] of Object.entries(payload)) {
    const path = bytesOf(text);
    const parts = path.split('/');
    files[`/${parts[0]!}`] ??= link(`..data/${parts[0]!}`);
    for (let i = 1; i < parts.length; i++) files[`/${folder}/${parts.slice(0, i).join('/')}`] ??= directory(0o755);
    const mode = fsGroup === undefined ? file.mode : file.mode | GROUP_FILE;
    const node: FileNode = { type: 'file', mode, user: file.user ?? 0, group, modified: at };
    files[`/${folder}/${path}`] = readLater(node, () => file.content);
  }
  return files;
}

/** Whether two would be laid out alike: a file is known by its version, where it has one. */
export function isSameVolume(one: AtomicVolume, other: AtomicVolume): boolean {
  const isOfVolume = one.seed === other.seed && one.at === other.at && one.rootMode === other.rootMode;
  if (!isOfVolume || one.fsGroup !== other.fsGroup) return false;
  const paths = Object.keys(one.payload);
  if (paths.length !== Object.keys(other.payload).length) return false;
  return paths.every((path) => isSameFile(one.payload[path]!, other.payload[path]));
}

function isSameFile(one: PayloadFile, other: PayloadFile | undefined): boolean {
  if (!other || one.mode !== other.mode || one.user !== other.user || one.version !== other.version) return false;
  return one.version !== undefined || one.content === other.content;
}

/** '..2026_01_31_12_00_00.1234567890': the time of the write, and digits that follow from what is written. */
function folderName(payload: Payload, at: Millis, seed: string): string {
  const stamp = new Date(at).toISOString().slice(0, 19).replace(/[-T:]/g, '_');
  let salt = hash32(seed);
  for (const [path, file] of Object.entries(payload)) salt = hash32(`${path}\0${file.version ?? file.content}`, salt);
  return `..${stamp}.${String(salt).padStart(10, '0')}`;
}
