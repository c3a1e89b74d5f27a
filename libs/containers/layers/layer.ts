import type { Bytes } from '../../engine/kernel/bytes.js';
import type { FileNode, ImageFiles } from '../../engine/kernel/files/file.js';
import { programs } from '../programs/index.js';
import { UNSIMULATED } from '../tools/framework/unsimulated.js';
import { parseProgramList, type ProgramList } from './program-list.js';

export type { ProgramList } from './program-list.js';

/** When the images were built: the times of their files. */
export const BUILT_AT = Date.UTC(2026, 0, 12);

const base = { user: 0, group: 0, modified: BUILT_AT };

export const directory = (mode = 0o755): FileNode => ({ ...base, type: 'directory', mode });
export const file = (content: Bytes, mode = 0o644): FileNode => ({ ...base, type: 'file', mode, content });
export const link = (target: Bytes): FileNode => ({ ...base, type: 'link', mode: 0o777, target });
export const executable = (program: string, size = 48_000): FileNode => ({
  ...base,
  type: 'file',
  mode: 0o755,
  size,
  program,
});
/** A file whose bytes nobody reads, such as a library. */
export const opaque = (size: number, mode = 0o644): FileNode => ({ ...base, type: 'file', mode, size });

/** The files of a list. A name whose program does not exist is there too: run, it says that it is not simulated. */
export function readPrograms(
  list: ProgramList,
  makeFile: (program: string, size: number) => FileNode = executable,
): ImageFiles {
  const files: Record<string, FileNode> = {};
  for (const { path, name, program } of parseProgramList(list)) {
    const isKnown = programs.find(program) !== undefined;
    files[path] = isKnown ? makeFile(program, sizeOf(name)) : executable(UNSIMULATED, sizeOf(name));
  }
  return files;
}

/** Plausible and always the same: from 15 KB to 160 KB. */
function sizeOf(name: string): number {
  let hash = 7;
  for (const c of name) hash = (hash * 31 + c.charCodeAt(0)) % 36_251;
  return 15_000 + hash * 4;
}

/** Later layers hide what earlier ones have. */
export const joinLayers = (...layers: readonly ImageFiles[]): ImageFiles => Object.assign({}, ...layers);
