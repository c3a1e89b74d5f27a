import type { Bytes } from '../../../engine/kernel/bytes.js';
import { findAll, findLast, type Configuration, type Directive } from './configuration.js';

/** What of a configuration holds for one request: blocks, those that say the last word last. */
export interface Site {
  readonly documentRoot: Bytes;
  readonly server: readonly Directive[];
  /** The server's own, and of the virtual host that answers. */
  readonly chain: readonly (readonly Directive[])[];
}

/** The virtual host of a port and name, or the main server. */
export function findSite({ directives }: Configuration, port: number, host: string): Site {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const hosts = findAll(directives, 'virtualhost').filter(({ args }) =>
    args.some((address) => address === '*' || address.endsWith(`:${port}`) || address.endsWith(':*')),
  );
  const isNamed = ({ block }: Directive): boolean =>
    [...findAll(block, 'servername'), ...findAll(block, 'serveralias')].some(({ args }) =>
      args.some((one) =>
        fitsName(
          one
            .replace(/^https?:\/\//, '')
            .replace(/:\d+$/, '')
            .toLowerCase(),
          name,
        ),
      ),
    );
  const own = hosts.find(isNamed) ?? hosts[0];
  const chain = own?.block ? [directives, own.block] : [directives];
  const root = chain.map((block) => findLast(block, 'documentroot')?.args[0]).findLast((one) => one !== undefined);
  return { documentRoot: (root ?? '/usr/local/apache2/htdocs').replace(/\/$/, ''), server: chain.at(-1)!, chain };
}

const fitsName = (pattern: string, name: string): boolean =>
  pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : pattern === name;

/** The blocks that hold for a file and its URL, in Apache's order: directories from the root, files, locations. */
export function blocksFor({ chain }: Site, file: Bytes, url: Bytes): readonly (readonly Directive[])[] {
  const within = (path: Bytes, folder: Bytes): boolean =>
    path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
  const clean = (folder: Bytes): Bytes => (folder.length > 1 ? folder.replace(/\/$/, '') : folder);
  const directories = chain
    .flatMap((block) => findAll(block, 'directory'))
    .filter(({ args }) => within(file, clean(args[0] ?? '')))
    .sort((a, b) => (a.args[0] ?? '').length - (b.args[0] ?? '').length);
  const name = file.slice(file.lastIndexOf('/') + 1);
  const files = chain
    .flatMap((block) => [...findAll(block, 'files'), ...directories.flatMap((one) => findAll(one.block, 'files'))])
    .filter(({ args }) => fitsGlob(args[0] ?? '', name));
  const locations = chain
    .flatMap((block) => findAll(block, 'location'))
    .filter(({ args }) => within(url, clean(args[0] ?? '')));
  return [...chain, ...[...directories, ...files, ...locations].map(({ block }) => block ?? [])];
}

/** `*` at one place, `?` not. */
function fitsGlob(pattern: Bytes, name: Bytes): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === name;
  const [first, last] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return name.length >= pattern.length - 1 && name.startsWith(first) && name.endsWith(last);
}

/** The last directive of a name in the blocks. */
export const lastOf = (blocks: readonly (readonly Directive[])[], name: string): Directive | undefined =>
  blocks.map((block) => findLast(block, name)).findLast((one) => one !== undefined);

export type Access = 'granted' | 'denied' | 'login';

/** What `Require`, or the older `Allow` and `Deny`, say. */
export function accessOf(blocks: readonly (readonly Directive[])[]): Access {
  for (const block of [...blocks].reverse()) {
    const requires = block
      .flatMap((one) => (one.name.startsWith('requirea') ? (one.block ?? []) : [one]))
      .filter(({ name }) => name === 'require');
    if (requires.length > 0)
      return requires.map(({ args }) => readRequire(args)).find((one) => one !== 'denied') ?? 'denied';
    const deny = findLast(block, 'deny');
    const allow = findLast(block, 'allow');
    if (deny ?? allow) {
      const isAll = (one: Directive | undefined): boolean => one?.args[1]?.toLowerCase() === 'all';
      const denyFirst = /deny,allow/i.test(findLast(block, 'order')?.args.join('') ?? 'deny,allow');
      if (isAll(allow) && (denyFirst || !isAll(deny))) return 'granted';
      return isAll(deny) ? 'denied' : 'granted';
    }
  }
  return 'granted';
}

function readRequire(args: readonly Bytes[]): Access {
  const [kind = '', value = ''] = args.map((word) => word.toLowerCase());
  if (kind === 'all') return value === 'granted' ? 'granted' : 'denied';
  return kind === 'valid-user' || kind === 'user' || kind === 'group' ? 'login' : 'denied';
}

/** Whether `Options` have a word on, as later blocks add to or replace earlier ones. */
export function hasOption(blocks: readonly (readonly Directive[])[], option: string): boolean {
  let isOn = false;
  for (const { args } of blocks.flatMap((block) => findAll(block, 'options'))) {
    const words = args.map((word) => word.toLowerCase());
    const own = words.find((word) => word.replace(/^[+-]/, '') === option);
    if (own !== undefined) isOn = !own.startsWith('-');
    else if (words.includes('all')) isOn = true;
    else if (words.some((word) => !/^[+-]/.test(word))) isOn = false;
  }
  return isOn;
}
