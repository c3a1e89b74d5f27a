import { type Bytes, errorCodeOf, type Syscalls } from '../kernel.js';
import { compilePattern, hasWildcard, matchPattern, type Pattern } from './pattern.js';

const MAX_RESULTS = 100_000;

export interface GlobOptions {
  readonly isExtended: boolean;
  readonly matchesDots: boolean;
  readonly globStar: boolean;
  readonly ignoreCase: boolean;
}

/** The paths that match a pattern, in order; none when nothing does. */
export function expandGlob(sys: Syscalls, pattern: Bytes, options: GlobOptions): Bytes[] {
  const isAbsolute = pattern.startsWith('/');
  const segments = pattern.split('/').filter((segment) => segment !== '');
  let paths: Bytes[] = [isAbsolute ? '/' : ''];
  segments.forEach((segment, i) => {
    const isLast = i === segments.length - 1;
    const next: Bytes[] = [];
    for (const path of paths) {
      if (next.length > MAX_RESULTS) break;
      for (const found of stepInto(sys, path, segment, isLast, options)) next.push(found);
    }
    paths = next;
  });
  if (pattern.endsWith('/')) paths = paths.filter((path) => isDirectory(sys, path)).map((path) => path + '/');
  return paths.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function stepInto(sys: Syscalls, path: Bytes, segment: Bytes, isLast: boolean, options: GlobOptions): Bytes[] {
  const join = (name: Bytes): Bytes => (path === '' || path.endsWith('/') ? path + name : `${path}/${name}`);
  if (segment === '**' && options.globStar) return descend(sys, path, isLast, options);
  if (!hasWildcard(segment, options.isExtended)) {
    const name = join(segment.replace(/\\([^])/g, '$1'));
    return exists(sys, name) ? [name] : [];
  }
  const compiled = compilePattern(segment, options.isExtended);
  const names = namesIn(sys, path === '' ? '.' : path).filter((name) => fits(name, segment, compiled, options));
  const found = names.map(join);
  return isLast ? found : found.filter((name) => isDirectory(sys, name));
}

function fits(name: Bytes, segment: Bytes, pattern: Pattern, options: GlobOptions): boolean {
  if (name.startsWith('.') && !options.matchesDots && !/^\\?\./.test(segment)) return false;
  return matchPattern(pattern, name, options);
}

/** What ** stands for: the directory and all below it. */
function descend(sys: Syscalls, path: Bytes, isLast: boolean, options: GlobOptions): Bytes[] {
  const found: Bytes[] = isLast && path === '' ? [] : [path];
  const open = [path];
  while (open.length > 0 && found.length < MAX_RESULTS) {
    const directory = open.pop()!;
    for (const name of namesIn(sys, directory === '' ? '.' : directory)) {
      if (name.startsWith('.') && !options.matchesDots) continue;
      const full = directory === '' || directory.endsWith('/') ? directory + name : `${directory}/${name}`;
      const isBelow = isDirectory(sys, full);
      if (isBelow) open.push(full);
      if (isBelow || isLast) found.push(full);
    }
  }
  return found;
}

function namesIn(sys: Syscalls, path: Bytes): readonly Bytes[] {
  try {
    const names = sys.readDirectory(path);
    sys.charge(names.length);
    return names;
  } catch (error) {
    errorCodeOf(error);
    return [];
  }
}

function exists(sys: Syscalls, path: Bytes): boolean {
  try {
    sys.lstat(path);
    return true;
  } catch (error) {
    errorCodeOf(error);
    return false;
  }
}

function isDirectory(sys: Syscalls, path: Bytes): boolean {
  try {
    return sys.stat(path).type === 'directory';
  } catch (error) {
    errorCodeOf(error);
    return false;
  }
}
