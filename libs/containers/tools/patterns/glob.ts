import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { Bytes } from '../../../engine/kernel/bytes.js';

/** Compiled by their text; no cluster can be reached from them. */
// oxlint-disable-next-line house/no-module-state -- compiled texts
const compiled = new LRUCache<string, { readonly regex: RE2JS | undefined }>({
  max: 500,
  memoMethod: (glob) => {
    try {
      return { regex: RE2JS.compile(globRegex(glob), RE2JS.DOTALL) };
    } catch {
      return { regex: undefined };
    }
  },
});

/** fnmatch(3): `*`, `?`, brackets, backslashes. */
export function matchesGlob(glob: Bytes, name: Bytes, ignoreCase = false): boolean {
  const pattern = ignoreCase ? glob.toLowerCase() : glob;
  const text = ignoreCase ? name.toLowerCase() : name;
  const { regex } = compiled.memo(pattern);
  return regex === undefined ? pattern === text : regex.matches(text);
}

function globRegex(glob: Bytes): string {
  return glob.replace(
    /\\([^])|\[([!^]?)(\]?(?:\[:[a-z]{1,9}:\]|[^\]]){0,200})\]|([*?])|([^])/g,
    (_all, escaped, not, set, wild, c) => {
      if (set !== undefined)
        return `[${not === '' ? '' : '^'}${set
          .replace(/\\/g, '\\\\')
          .replace(/\[(?!:)/g, '\\[')
          .replace(/^\]/, '\\]')}]`;
      if (wild !== undefined) return wild === '*' ? '.*' : '.';
      return String(escaped ?? c).replace(/[\\^$.[\]|()*+?{}]/g, '\\$&');
    },
  );
}
