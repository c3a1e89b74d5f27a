import type { Bytes } from '../../../engine/kernel/bytes.js';
import { matchesGlob } from '../patterns/glob.js';
import { writeFile } from '../node/disk.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure } from '../framework/tool.js';
import { formatZip, pack, parseZip, type ZipEntry } from './zip-format.js';

const OPTIONS = [
  ...[
    'r,recurse-paths',
    'j,junk-paths',
    'q,quiet',
    'd,delete',
    'm,move',
    'u,update',
    'f,freshen',
    'v,verbose',
    'y,symlinks',
  ],
  ...[
    'D,no-dir-entries',
    'X,no-extra',
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    'T,test',
    'e,encrypt',
    'P,password:',
  ],
];
const MAX_FILES = 10_000;
const NOTHING = 12;
const NOT_OPENED = 18;

/** `-x` takes patterns to the end of the command line. */
function splitExcluded(args: readonly Bytes[]): [rest: Bytes[], excluded: Bytes[]] {
  const at = args.findIndex((word) => word === '-x' || word === '--exclude');
  return at < 0 ? [[...args], []] : [args.slice(0, at), args.slice(at + 1)];
}

/** Models Info-ZIP's zip. Left out: encryption, archives in parts, standard input and output. */
export const zip = defineTool(
  (tool) => {
    const [args, excluded] = splitExcluded(tool.args);
    const options = parseOptions({ ...tool, args }, OPTIONS);
    if (options.has('e', 'P')) throw new ToolFailure('encryption is not simulated here', 16);
    const [named, ...paths] = options.operands;
    if (named === undefined || named === '-')
      throw new ToolFailure('an archive to standard output is not simulated here', 16);
    const archive = /\.[^/.]+$/.test(named) ? named : `${named}.zip`;
    const before = readArchive(tool, archive);
    const entries = new Map(before.map((entry) => [entry.name, entry]));
    const say = (text: Bytes): void => (options.has('q') ? undefined : tool.out(text));
    if (options.has('d')) {
      const gone = [...entries.keys()].filter((name) => paths.some((pattern) => matchesGlob(pattern, name)));
      if (gone.length === 0) return nothing(tool, archive, paths);
      for (const name of gone) {
        say(`deleting: ${name}\n`);
        entries.delete(name);
      }
    } else if (!addAll(tool, { paths, excluded, archive, entries, options, say })) return nothing(tool, archive, []);
    tool.sys.charge([...entries.values()].reduce((sum, { size }) => sum + size, 0) >> 1);
    writeFile(tool.sys, archive, formatZip([...entries.values()]));
    return 0;
  },
  { usage: '[-options] [-b path] [-t mmddyyyy] [-n suffixes] [zipfile list] [-xi list]' },
);

function nothing(tool: ToolContext, archive: Bytes, missing: readonly Bytes[]): number {
  for (const name of missing) tool.err(`\tzip warning: name not matched: ${name}\n`);
  tool.err(`\nzip error: Nothing to do! (${archive})\n`);
  return NOTHING;
}

function readArchive(tool: ToolContext, path: Bytes): ZipEntry[] {
  if (!tool.sys.access(path, '')) return [];
  const found = parseZip(tool.input(path));
  if (found) return found;
  tool.err(`\nzip error: Zip file structure invalid (${path})\n`);
  throw new ToolFailure(`${path} is no archive`, 3);
}

interface Adding {
  readonly paths: readonly Bytes[];
  readonly excluded: readonly Bytes[];
  readonly archive: Bytes;
  readonly entries: Map<Bytes, ZipEntry>;
  readonly options: ReturnType<typeof parseOptions>;
  say(text: Bytes): void;
}

function addAll(tool: ToolContext, { paths, excluded, archive, entries, options, say }: Adding): boolean {
  const { sys } = tool;
  let count = 0;
  const add = (path: Bytes): void => {
    if (++count > MAX_FILES) throw new ToolFailure('too many files', 4);
    const stat = sys.stat(path);
    const isFolder = stat.type === 'directory';
    const plain = path.replace(/^(?:\.?\/)+/, '');
    const name = (options.has('j') ? plain.slice(plain.lastIndexOf('/') + 1) : plain) + (isFolder ? '/' : '');
    const isLeftOut = excluded.some((pattern) => matchesGlob(pattern, name)) || plain === archive;
    if (!isLeftOut && name !== '/' && !(isFolder && options.has('j', 'D'))) {
      const content = isFolder ? '' : tool.input(path);
      const entry = pack(name, content, (isFolder ? 0o40000 : 0o100000) | stat.mode, stat.modified);
      const saved = entry.isDeflated ? Math.round(100 - (100 * entry.packed.length) / entry.size) : 0;
      say(
        `${entries.has(name) ? 'updating' : '  adding'}: ${name} (${entry.isDeflated ? 'deflated' : 'stored'} ${saved}%)\n`,
      );
      entries.set(name, entry);
    }
    if (isFolder && options.has('r'))
      for (const one of sys.readDirectory(path)) add(path === '/' ? `/${one}` : `${path}/${one}`);
  };
  for (const word of paths) {
    const path = word.length > 1 ? word.replace(/\/$/, '') : word;
    if (!sys.access(path, '')) {
      tool.err(`\tzip warning: name not matched: ${word}\n`);
      continue;
    }
    try {
      add(path);
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      throw new ToolFailure(`could not open for reading: ${path}: ${strerror(error)}`, NOT_OPENED);
    }
  }
  return count > 0;
}
