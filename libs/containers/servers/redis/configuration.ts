import { LATEST } from './lines.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import { splitWords } from './resp.js';

export type Settings = Record<string, Bytes>;

/**
 * What CONFIG knows, with the values of a server without a file; 'dir' is where it is started. Left out: settings that
 * change nothing here.
 */
const DEFAULTS: Settings = {
  appendfsync: 'everysec',
  appendonly: 'no',
  bind: '* -::*',
  databases: '16',
  dbfilename: 'dump.rdb',
  dir: '',
  hz: '10',
  loglevel: 'notice',
  maxclients: '10000',
  maxmemory: '0',
  masterauth: '',
  'maxmemory-policy': 'noeviction',
  'maxmemory-samples': '5',
  port: '6379',
  'protected-mode': 'yes',
  'replica-priority': '100',
  'replica-read-only': 'yes',
  replicaof: '',
  requirepass: '',
  save: '3600 1 300 100 60 10000',
  'tcp-backlog': '511',
  'tcp-keepalive': '300',
  timeout: '0',
};
/** Settings that only a start takes. */
export const FIXED: readonly string[] = ['port', 'bind', 'databases', 'tcp-backlog', 'replicaof'];
/** Accepted without an effect. */
const WITHOUT_EFFECT =
  /^(?:daemonize|supervised|pidfile|logfile|always-show-logo|set-proc-title|stop-writes-on-bgsave-error|rdbcompression|rdbchecksum|lazyfree-.*|auto-aof-.*|aof-.*|no-appendfsync-on-rewrite|slowlog-.*|latency-.*|notify-keyspace-events|hash-max-.*|list-max-.*|set-max-.*|zset-max-.*|activerehashing|dynamic-hz|client-output-buffer-limit|appendfilename|appenddirname|repl-.*|replica-(?:serve-stale-data|announce.*|lazy-flush|ignore-.*)|masteruser|ignore-warnings)$/;

const POLICIES: readonly string[] = [
  ...['noeviction', 'allkeys-lru', 'allkeys-lfu', 'allkeys-random'],
  ...['volatile-lru', 'volatile-lfu', 'volatile-random', 'volatile-ttl'],
];
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1024,
  m: 1e6,
  mb: 1 << 20,
  g: 1e9,
  gb: 1 << 30,
};
const NUMBERS: readonly string[] = ['port', 'databases', 'hz', 'maxclients', 'tcp-backlog', 'tcp-keepalive', 'timeout'];

/** What is wrong with a value; undefined: it is set. */
export function putSetting(settings: Settings, name: string, value: Bytes): string | undefined {
  if (name === 'maxmemory') {
    const [, digits, unit = ''] = /^(\d{1,15})([a-z]*)$/i.exec(value) ?? [];
    const factor = UNITS[unit.toLowerCase()];
    if (digits === undefined || factor === undefined) return 'argument must be a memory value';
    settings[name] = String(Number(digits) * factor);
    return undefined;
  }
  if (NUMBERS.includes(name) && !/^\d{1,9}$/.test(value)) return "argument couldn't be parsed into an integer";
  if (name === 'databases' && (value === '0' || Number(value) > 1_000))
    return 'argument must be between 1 and 1000 inclusive';
  if (name === 'port' && Number(value) > 65_535) return 'argument must be between 0 and 65535 inclusive';
  if (['appendonly', 'protected-mode', 'replica-read-only'].includes(name) && value !== 'yes' && value !== 'no')
    return "argument must be 'yes' or 'no'";
  if (name === 'maxmemory-policy' && !POLICIES.includes(value))
    return `argument(s) must be one of the following: ${POLICIES.join(', ')}`;
  if (name === 'save' && !/^(?:\d{1,9} \d{1,9}(?: |$))*$/.test(value)) return 'Invalid save parameters';
  settings[name] = value;
  return undefined;
}

export interface Configuration {
  readonly settings: Settings;
  /** Commands by their own names, with the names that they have now; '': none any more. */
  readonly renamed: Record<string, Bytes>;
  /** In the server's words; '' when all is right. */
  readonly problem: Bytes;
}

/** What `include` reads: the text of a file, or why it cannot be read. */
type ReadFile = (path: Bytes) => Bytes | { readonly failure: string };

interface Reading {
  readonly version: string;
  readonly read: ReadFile;
  readonly settings: Settings;
  readonly renamed: Record<string, Bytes>;
  hasSave: boolean;
}

const MAX_DEPTH = 16;

/** A file's text and then the options of the command line. `version` is of the server that complains. */
export function readConfiguration(
  file: Bytes | undefined,
  args: readonly Bytes[],
  version: string = LATEST,
  read: ReadFile = () => ({ failure: 'No such file or directory' }),
): Configuration {
  const reading: Reading = { version, read, settings: { ...DEFAULTS }, renamed: {}, hasSave: false };
  const problem = readLines(reading, [...(file ?? '').split('\n'), ...linesOf(args)], 0);
  return { settings: reading.settings, renamed: reading.renamed, problem: problem ?? '' };
}

/** Models config.c loadServerConfigFromString: undefined, or the first problem. */
function readLines(reading: Reading, lines: readonly Bytes[], depth: number): Bytes | undefined {
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const words = splitWords(text);
    const reason = words ? readDirective(reading, words, depth) : 'Unbalanced quotes in configuration line';
    if (typeof reason === 'object') return reason.problem;
    if (reason !== undefined)
      return `\n*** FATAL CONFIG FILE ERROR (Redis ${reading.version}) ***\nReading the configuration file, at line ${index + 1}\n>>> '${text}'\n${reason}\n`;
  }
  return undefined;
}

/** Why a line is wrong, or the problem of the file that it includes. */
function readDirective(
  reading: Reading,
  words: readonly Bytes[],
  depth: number,
): string | { readonly problem: Bytes } | undefined {
  const { settings } = reading;
  const name = newNameOf(words[0]?.toLowerCase() ?? '');
  if (WITHOUT_EFFECT.test(name)) return undefined;
  if (name === 'include' && words.length === 2) return include(reading, words[1]!, depth);
  if (name === 'rename-command' && words.length === 3) {
    reading.renamed[words[1]!.toLowerCase()] = words[2]!.toLowerCase();
    return undefined;
  }
  if (!Object.hasOwn(DEFAULTS, name) || words.length < 2) return 'Bad directive or wrong number of arguments';
  if (name === 'replicaof' && words.length !== 3) return 'wrong number of arguments';
  const value = name === 'replicaof' && isNoOne(words) ? '' : words.slice(1).join(' ');
  // Lines of save points add up.
  const joins = name === 'save' && reading.hasSave && value !== '' && settings['save'] !== '';
  reading.hasSave ||= name === 'save';
  return putSetting(settings, name, joins ? `${settings['save']} ${value}` : value);
}

function include(reading: Reading, path: Bytes, depth: number): { readonly problem: Bytes } | undefined {
  const found = depth < MAX_DEPTH ? reading.read(path) : { failure: 'Too many levels of includes' };
  if (typeof found === 'object')
    return { problem: `Fatal error, can't open config file '${path}': ${found.failure}\n` };
  const problem = readLines(reading, found.split('\n'), depth + 1);
  return problem === undefined ? undefined : { problem };
}

const isNoOne = ([, host = '', port = '']: readonly Bytes[]): boolean =>
  host.toLowerCase() === 'no' && port.toLowerCase() === 'one';

/** Settings have been called otherwise. */
const newNameOf = (name: string): string =>
  name === 'slaveof' ? 'replicaof' : name.startsWith('slave-') ? `replica-${name.slice('slave-'.length)}` : name;

/** `--name value value` as lines. */
function linesOf(args: readonly Bytes[]): Bytes[] {
  const lines: Bytes[] = [];
  for (const word of args) {
    if (word.startsWith('--')) lines.push(word.slice(2));
    else {
      const quoted = word === '' || /[\s"'\\]/.test(word) ? `"${word.replace(/["\\]/g, '\\$&')}"` : word;
      lines.push(`${lines.pop() ?? ''} ${quoted}`);
    }
  }
  return lines;
}
