import { hash32 } from '../../../../engine/machinery/random.js';
import type { NameAnswer, NameRecord } from '../../../../engine/kernel/process/syscalls.js';
import type { Directive } from '../corefile.js';
import { argumentFault, isInZone } from './words.js';

/** What a log directive logs: questions for names of some zones, whose answers are of some classes. */
export interface Log {
  readonly names: readonly string[];
  readonly format: string;
  readonly classes: ReadonlySet<string>;
}

const COMMON =
  '{remote}:{port} - {>id} "{type} {class} {name} {proto} {size} {>do} {>bufsize}" {rcode} {>rflags} {rsize} {duration}';
const COMBINED = `${COMMON} "{>opcode}"`;
const CLASSES = ['all', 'denial', 'error', 'success'];

const HEADER_BYTES = 12;
/** Type and class; and of a record its time to live and the length of its data. */
const QUESTION_BYTES = 4;
const RECORD_BYTES = 10;
const BUFFER = '512';
/** What an answer of its own takes, in ns: the least, and what there may be more. */
const LEAST_NS = 50_000;
const SPREAD_NS = 150_000;

/** `log [NAMES...] [FORMAT] { class CLASSES... }`. Throws CorefileFault. Models plugin/log/setup.go. */
export function readLog({ args, block }: Directive, zones: readonly string[], file: string): Log {
  const last = args.at(-1);
  const format = args.length > 1 && last !== undefined && last.includes('{') ? last : undefined;
  const names = format === undefined ? args : args.slice(0, -1);
  const classes = new Set<string>();
  for (const { name, args: words, line } of block) {
    if (name !== 'class' || words.length === 0) throw argumentFault('log', name, file, line);
    for (const word of words) {
      if (!CLASSES.includes(word)) throw argumentFault('log', word, file, line);
      classes.add(word);
    }
  }
  return {
    names: names.length === 0 ? zones : names.map((name) => (name.endsWith('.') ? name : `${name}.`).toLowerCase()),
    format: (format ?? COMMON).replaceAll('{common}', COMMON).replaceAll('{combined}', COMBINED),
    classes: classes.size === 0 ? new Set(['all']) : classes,
  };
}

/** The line of a question and its answer; who has asked is not known here. Undefined: it is not logged. */
export function logLine(
  logs: readonly Log[],
  { name, type, now }: { readonly name: string; readonly type: string; readonly now: number },
  answer: NameAnswer,
): string | undefined {
  const log = logs.find(({ names }) => names.some((own) => isInZone(name, own)));
  if (!log || !(log.classes.has('all') || log.classes.has(classOf(answer)))) return undefined;
  const question = HEADER_BYTES + wireLength(name) + QUESTION_BYTES;
  const ns = answer.delay * 1_000_000 + LEAST_NS + (hash32(`${name}/${type}/${now}`) % SPREAD_NS);
  const values: Readonly<Record<string, string>> = {
    ...{ type, name, class: 'IN', proto: 'udp', size: String(question), rcode: answer.code, '>opcode': '0' },
    ...{ '>do': 'false', '>bufsize': BUFFER, '>rflags': flagsOf(answer), duration: `${ns / 1_000_000_000}s` },
    rsize: String(question + recordsOf(answer).reduce((sum, record) => sum + lengthOf(record), 0)),
  };
  return `[INFO] ${log.format.replace(/\{(>?\w+)\}/g, (whole, key: string) => values[key] ?? whole)}`;
}

/** Models plugin/pkg/response Classify. */
function classOf({ code, records, authority = [] }: NameAnswer): string {
  if (code === 'NXDOMAIN') return 'denial';
  if (code !== 'NOERROR') return 'error';
  return records.length === 0 && authority.some(({ type }) => type === 'SOA') ? 'denial' : 'success';
}

const flagsOf = ({ isAuthoritative, canRecurse }: NameAnswer): string =>
  ['qr', ...(isAuthoritative === false ? [] : ['aa']), 'rd', ...(canRecurse ? ['ra'] : [])].join(',');

const recordsOf = ({ records, authority = [], additional = [] }: NameAnswer): NameRecord[] => [
  ...records,
  ...authority,
  ...additional,
];

/** Of a name with the dot at its end: a byte for the length of each label, and one for the root. */
const wireLength = (name: string): number => (name === '.' ? 1 : name.length + 1);

/** CoreDNS compresses no names that fit without. */
const lengthOf = ({ name, type, data }: NameRecord): number => wireLength(name) + RECORD_BYTES + dataLength(type, data);

function dataLength(type: string, data: string): number {
  const words = data.split(' ');
  switch (type) {
    case 'A':
      return 4;
    case 'AAAA':
      return 16;
    case 'SRV':
      return 6 + wireLength(words.at(-1)!);
    case 'MX':
      return 2 + wireLength(words.at(-1)!);
    case 'SOA':
      return wireLength(words[0]!) + wireLength(words[1] ?? '.') + 20;
    case 'TXT':
      return data.length + 1;
    default:
      return wireLength(data);
  }
}
