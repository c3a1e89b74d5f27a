import type { Bytes } from '../bytes.js';
import type { State } from '../state.js';

/** /proc/mounts: spaces and tabs in paths as octal numbers. */
export function mountLines(state: State, container: string): Bytes {
  const escape = (text: string): string => text.replace(/[ \t\n\\]/g, (c) => `\\0${c.charCodeAt(0).toString(8)}`);
  const mounts = [...(state.mounts.get(container)?.values() ?? [])];
  return mounts
    .map(({ source, path, type, options }) => `${escape(source)} ${escape(path)} ${type} ${options.join(',')} 0 0\n`)
    .join('');
}
