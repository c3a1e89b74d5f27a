import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../accounts.js';
import { isGzip, unzip } from '../../archive/gzip-format.js';
import { faultOf, newReading, readPiece } from '../../archive/tar-reader.js';
import { lastName, trimSlashes } from '../../names.js';
import { matchesGlob } from '../../patterns/glob.js';
import { HelmFailure } from '../failure.js';
import { assembleChart, type Chart, type ChartFile } from './chart.js';

/** Files of one chart. */
const MAX_FILES = 1_000;
/** Bytes of one file, as helm's own limit, and of all. */
const MAX_FILE = 5 << 20;
const MAX_CHART = 20 << 20;
const MAX_DEPTH = 20;

/** A chart in a folder, or in an archive. Throws HelmFailure. */
export function loadChartAt(sys: Syscalls, path: string): Chart {
  const isFolder = sys.stat(path).type === 'directory';
  const files = isFolder ? readFolder(sys, trimSlashes(path) || '/') : readArchive(readSmallFile(sys, path), path);
  return assembleChart(files, ({ name, data }) => readArchive(data, name));
}

/** Models pkg/chart/loader LoadDir. */
function readFolder(sys: Syscalls, root: string): ChartFile[] {
  const ignore = readIgnore(readSmallFile(sys, `${root}/.helmignore`));
  const files: ChartFile[] = [];
  let size = 0;
  const walk = (folder: string, depth: number): void => {
    if (depth > MAX_DEPTH) throw new HelmFailure('the chart is nested too deeply');
    for (const entry of sys.readDirectory(folder === '' ? root : `${root}/${folder}`)) {
      const name = folder === '' ? entry : `${folder}/${entry}`;
      const stat = sys.stat(`${root}/${name}`);
      const isFolder = stat.type === 'directory';
      if (ignore(name, isFolder)) continue;
      if (isFolder) {
        walk(name, depth + 1);
        continue;
      }
      if (stat.type !== 'file')
        throw new HelmFailure(`cannot load irregular file ${root}/${name} as it has file mode type bits set`);
      if (stat.size > MAX_FILE)
        throw new HelmFailure(`chart file ${JSON.stringify(entry)} is larger than the maximum file size ${MAX_FILE}`);
      if (!sys.access(`${root}/${name}`, 'r'))
        throw new HelmFailure(`error reading ${name}: open ${root}/${name}: permission denied`);
      size += stat.size;
      if (files.length >= MAX_FILES || size > MAX_CHART) throw new HelmFailure('the chart has too many files');
      files.push({ name, data: readSmallFile(sys, `${root}/${name}`).replace(/^\xef\xbb\xbf/, '') });
    }
  };
  walk('', 0);
  return files;
}

/** Models pkg/chart/loader LoadArchiveFiles: without the folder that all stand in. */
export function readArchive(bytes: Bytes, path: string): ChartFile[] {
  if (!isGzip(bytes))
    throw new HelmFailure(`file '${path}' does not appear to be a gzipped archive; got 'text/plain; charset=utf-8'`);
  const tar = unzip(bytes);
  if (tar === undefined) throw new HelmFailure('gzip: invalid checksum');
  const files: ChartFile[] = [];
  let current: ChartFile | undefined;
  const reading = newReading();
  readPiece(reading, tar, {
    begin: ({ name, type }) => {
      const inner = name.slice(name.indexOf('/') + 1);
      current =
        type === 'file' && name.includes('/') && !inner.startsWith('..') ? { name: inner, data: '' } : undefined;
      if (current && files.length < MAX_FILES) files.push(current);
    },
    content: (data) => {
      if (current && current.data.length + data.length <= MAX_FILE) current.data += data;
    },
    finish: () => undefined,
    garbage: () => undefined,
  });
  if (faultOf(reading) === 'truncated') throw new HelmFailure('unexpected EOF');
  if (files.length === 0) throw new HelmFailure('no files in chart archive');
  return files;
}

/** Models pkg/ignore: the patterns of .helmignore, and `templates/.?*`. */
function readIgnore(text: string): (name: string, isFolder: boolean) => boolean {
  const rules = `${text}\ntemplates/.?*`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_FILES)
    .map((line) => {
      const isNegated = line.startsWith('!');
      const pattern = isNegated ? line.slice(1) : line;
      const onlyFolders = pattern.endsWith('/');
      return {
        isNegated,
        onlyFolders,
        pattern: pattern.replace(/\/$/, '').replace(/^\//, ''),
        isWhole: pattern.replace(/\/$/, '').includes('/'),
      };
    });
  return (name, isFolder) => {
    for (const { isNegated, onlyFolders, pattern, isWhole } of rules) {
      if (onlyFolders && !isFolder) continue;
      const fits = isWhole
        ? name.split('/').length === pattern.split('/').length && matchesGlob(pattern, name)
        : matchesGlob(pattern, lastName(name));
      // Models Rules.Ignore: what a rule with ! does not mean is left out.
      if (isNegated ? !fits : fits) return true;
    }
    return false;
  };
}
