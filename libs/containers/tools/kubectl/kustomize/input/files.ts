import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Bytes } from '../../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../accounts.js';
import { KustomizeFailure } from '../failure.js';

/** Files that one build reads. */
const MAX_FILES = 500;
const REMOTE = /^(?:https?|file):\/\//;
const REPOSITORY = /^(?:git::|gh:|ssh:\/\/|git@|https?:\/\/|github\.com[/:])/;

/** Where the files of a build are. Models api/internal/loader and kyaml/filesys. */
export class Files {
  private count = 0;

  constructor(
    private readonly sys: Syscalls,
    private readonly fetch?: (url: string) => Bytes | undefined,
  ) {}

  /** The folder as an absolute path without links. Throws KustomizeFailure. */
  confirmFolder(path: string, named = path): string {
    if (REPOSITORY.test(path)) throw closedNetwork(path);
    const real = this.resolve(path, named, 'must build at directory: not a valid directory: ');
    if (this.sys.stat(real).type !== 'directory')
      throw new KustomizeFailure(`must build at directory: '${named}': file is not directory`);
    return real;
  }

  /** A file's bytes; undefined: it is not there. */
  find(root: string, path: string): Bytes | undefined {
    try {
      return this.load(root, path);
    } catch (error) {
      if (error instanceof KustomizeFailure) return undefined;
      throw error;
    }
  }

  /** A file in or below `root`. Throws KustomizeFailure. */
  load(root: string, path: string): Bytes {
    if (REMOTE.test(path)) {
      const found = path.startsWith('http') ? this.fetch?.(path) : undefined;
      if (found !== undefined) return found;
      throw closedNetwork(path);
    }
    const full = path.startsWith('/') ? path : joinPaths(root, path);
    const real = this.resolve(full, full);
    const { type } = this.sys.stat(real);
    if (type === 'directory') throw new KustomizeFailure(`'${real}' must resolve to a file`);
    if (real !== root && !real.startsWith(root === '/' ? '/' : `${root}/`))
      throw new KustomizeFailure(`security; file '${real}' is not in or below '${root}'`);
    if (!this.sys.access(real, 'r')) throw new KustomizeFailure(`open ${real}: permission denied`);
    if (++this.count > MAX_FILES) throw new KustomizeFailure(`too many files for one build (${MAX_FILES})`);
    return readSmallFile(this.sys, real);
  }

  private resolve(path: string, named: string, before = ''): string {
    try {
      return this.sys.realPath(path);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const full = path.startsWith('/') ? path : joinPaths(this.sys.cwd(), path);
      throw new KustomizeFailure(
        `${before}evalsymlink failure on '${named}' : lstat ${full}: ${error.message.toLowerCase()}`,
      );
    }
  }
}

/** Models Go's path.Join. */
export function joinPaths(root: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${root}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The network of the cluster ends at its border: names outside are not known. */
function closedNetwork(url: string): KustomizeFailure {
  const host = /^(?:git::)?(?:[a-z]+:\/\/)?(?:[^@/]*@)?([^/:]+)/.exec(url)?.[1] ?? url;
  return /^https?:.*\.(?:ya?ml|json)$/.test(url)
    ? new KustomizeFailure(`Get "${url}": dial tcp: lookup ${host}: no such host`)
    : new KustomizeFailure(
        `failed to run '/usr/bin/git fetch --depth=1 ${repositoryOf(url)} HEAD': fatal: unable to access '${repositoryOf(url)}/': Could not resolve host: ${host}\n: exit status 128`,
      );
}

/** Without the folder in it, and without what is asked for of it. */
function repositoryOf(url: string): string {
  const whole = url.replace(/^git::/, '').split('?', 1)[0]!;
  const scheme = /^[a-z]+:\/\//.exec(whole)?.[0] ?? '';
  return scheme + whole.slice(scheme.length).split('//', 1)[0]!;
}
