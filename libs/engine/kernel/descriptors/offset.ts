import { SystemError } from '../errno.js';
import { FileTree } from '../files/tree.js';
import type { SeekFrom } from '../process/syscalls.js';
import type { State } from '../state.js';
import type { Description } from './description.js';

/** lseek(2). Returns the new offset. Throws ESPIPE for what has none, EINVAL before the beginning. */
export function seek(state: State, description: Description, offset: number, from: SeekFrom): number {
  if (description.type === 'device') return 0;
  if (description.type !== 'file' && description.type !== 'computed') throw new SystemError('ESPIPE');
  const size =
    description.type === 'computed'
      ? description.content.length
      : treeOf(state, description.tree).size(description.key);
  const base = from === 'start' ? 0 : from === 'end' ? size : description.offset;
  if (base + offset < 0) throw new SystemError('EINVAL');
  description.offset = base + offset;
  return description.offset;
}

/** ftruncate(2). Throws EINVAL for what is no file that is open for writing. */
export function truncate(state: State, description: Description, length: number): void {
  if (description.type !== 'file' || !description.write || length < 0) throw new SystemError('EINVAL');
  treeOf(state, description.tree).truncate(description.key, length, state.now);
  state.isMemoryChanged = true;
}

function treeOf(state: State, id: string): FileTree {
  const tree = state.trees.get(id);
  if (!(tree instanceof FileTree)) throw new SystemError('EIO');
  return tree;
}
