import { BINARY_MAGIC } from '../../../engine/kernel/process/execute.js';
import { parseProgramList, type ProgramList } from '../../layers/program-list.js';
import { writeFile } from '../node/disk.js';
import type { ToolContext } from '../framework/tool.js';
import { UNSIMULATED } from '../framework/unsimulated.js';

/** Writes what a package brings: binaries by the names of their programs. Throws SystemError. */
export function unpack({ sys }: ToolContext, lists: readonly ProgramList[]): void {
  for (const { path, program } of lists.flatMap(parseProgramList))
    writeFile(sys, path, `${BINARY_MAGIC}${program} ${UNSIMULATED}`, 0o755);
}

/** Plausible and always the same: from 40 to 1,036 kB. */
export function packageSizeKB(name: string): number {
  let hash = 11;
  for (const c of name) hash = (hash * 31 + c.charCodeAt(0)) % 997;
  return 40 + hash;
}
