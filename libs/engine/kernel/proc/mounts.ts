import type { Bytes } from '../bytes.js';
import type { Process } from '../process/process.js';
import { mountsOf } from '../process/root.js';
import type { State } from '../state.js';

/** /proc/mounts: spaces and tabs in paths as octal numbers. */
export function mountLines(state: State, process: Pick<Process, 'container' | 'root'>): Bytes {
  const escape = (text: string): string => text.replace(/[ \t\n\\]/g, (c) => `\\0${c.charCodeAt(0).toString(8)}`);
  return [...mountsOf(state, process).values()]
    .map(({ source, path, type, options }) => `${escape(source)} ${escape(path)} ${type} ${options.join(',')} 0 0\n`)
    .join('');
}
