import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { matchesGlob } from '../patterns/glob.js';
import { writeFile } from '../node/disk.js';
import { type Options, parseOptions } from '../framework/options.js';
import { defineTool, type ToolContext, ToolFailure } from '../framework/tool.js';
import { parseZip, unpackEntry, type ZipEntry } from './zip-format.js';

const OPTIONS = ['l', 'v', 'o', 'n', 'q', 'p', 't', 'd:', 'j', 'x:', 'u', 'f', 'Z', 'P:', 'a', 'C', 'L'];
const NO_ARCHIVE = 9;
const NOT_FOUND = 11;
const DAMAGED = 3;
const NAME_WIDTH = 22;

/** Models Info-ZIP's unzip. Left out: encryption, questions before a file is replaced. */
export const unzip = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    const [named, ...wanted] = options.operands;
    if (named === undefined) throw new ToolFailure('an archive is needed', 10);
    const archive = [named, `${named}.zip`, `${named}.ZIP`].find((path) => tool.sys.access(path, ''));
    if (archive === undefined) {
      tool.err(`unzip:  cannot find or open ${named}, ${named}.zip or ${named}.ZIP.\n`);
      return NO_ARCHIVE;
    }
    const bytes = tool.input(archive);
    const isQuiet = options.has('q', 'p');
    if (!isQuiet) tool.out(`Archive:  ${archive}\n`);
    const all = parseZip(bytes);
    if (!all) return refuse(tool, archive);
    const entries = all.filter(
      ({ name }) => wanted.length === 0 || wanted.some((pattern) => matchesGlob(pattern, name)),
    );
    tool.sys.charge(entries.reduce((sum, { size }) => sum + size, 0) >> 1);
    if (options.has('l', 'v')) return list(tool, entries);
    let code = 0;
    for (const entry of entries) code = Math.max(code, takeOut(tool, options, entry, isQuiet));
    if (options.has('t') && code === 0) tool.out(`No errors detected in compressed data of ${archive}.\n`);
    for (const pattern of wanted)
      if (!all.some(({ name }) => matchesGlob(pattern, name))) {
        tool.err(`caution: filename not matched:  ${pattern}\n`);
        code = NOT_FOUND;
      }
    return code;
  },
  { usage: '[-Z] [-opts[modifiers]] file[.zip] [list] [-x xlist] [-d exdir]', usageCode: 10 },
);

function refuse(tool: ToolContext, archive: Bytes): number {
  tool.err(
    '  End-of-central-directory signature not found.  Either this file is not\n' +
      '  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n' +
      '  latter case the central directory and zipfile comment will be found on\n' +
      '  the last disk(s) of this archive.\n' +
      `unzip:  cannot find zipfile directory in one of ${archive} or\n        ${archive}.zip, and cannot find ${archive}.ZIP, period.\n`,
  );
  return NO_ARCHIVE;
}

function list(tool: ToolContext, entries: readonly ZipEntry[]): number {
  tool.out('  Length      Date    Time    Name\n---------  ---------- -----   ----\n');
  for (const { size, modified, name } of entries) {
    const when = new Date(modified).toISOString().slice(0, 16).replace('T', ' ');
    tool.out(`${String(size).padStart(9)}  ${when}   ${name}\n`);
  }
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const files = `${entries.length} file${entries.length === 1 ? '' : 's'}`;
  tool.out(`---------                     -------\n${String(total).padStart(9)}                     ${files}\n`);
  return 0;
}

function makeFolders(sys: Syscalls, path: Bytes): void {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1))
    if (!sys.access(path.slice(0, at), '')) sys.makeDirectory(path.slice(0, at), 0o755);
}

function takeOut(tool: ToolContext, options: Options, entry: ZipEntry, isQuiet: boolean): number {
  const { sys } = tool;
  const say = (verb: string, path: Bytes, end = ''): void =>
    isQuiet ? undefined : tool.out(`${verb.padStart(11)}: ${path.padEnd(NAME_WIDTH)}  ${end}\n`);
  const isFolder = entry.name.endsWith('/');
  const content = isFolder ? '' : unpackEntry(entry);
  if (content === undefined) {
    tool.err(`${entry.name}  bad CRC, or too large\n`);
    return DAMAGED;
  }
  if (options.has('t')) {
    say('testing', entry.name, ' OK');
    return 0;
  }
  if (options.has('p')) {
    tool.out(content);
    return 0;
  }
  // Names that lead out of the folder lead into it.
  const inside = entry.name
    .split('/')
    .filter((part) => part !== '..')
    .join('/')
    .replace(/^\/+/, '');
  const name = options.has('j') ? inside.slice(inside.lastIndexOf('/') + 1) : inside;
  const folder = options.value('d');
  const path = folder === undefined ? name : `${folder.replace(/\/$/, '')}/${name}`;
  if (name === '') return 0;
  makeFolders(sys, path);
  if (isFolder) {
    if (!isQuiet && !sys.access(path, '')) tool.out(`   creating: ${path}\n`);
    return 0;
  }
  if (sys.access(path, '')) {
    if (options.has('n')) return 0;
    if (!options.has('o'))
      throw new ToolFailure(`${path} is there: questions are not simulated here, give -o or -n`, 1);
  }
  writeFile(sys, path, content);
  sys.chmod(path, entry.mode & 0o777);
  sys.setTimes(path, entry.modified, entry.modified);
  say(entry.isDeflated ? 'inflating' : 'extracting', path);
  return 0;
}
