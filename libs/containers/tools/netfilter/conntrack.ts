import type { Bytes } from '../../../engine/kernel/bytes.js';
import {
  isSixthTrack,
  originalOf,
  printTrack,
  replyOf,
  type TrackEntry,
} from '../../../engine/kernel/conntrack/print.js';
import { stateOf } from '../../../engine/kernel/conntrack/state.js';
import { parseOptions, type Options } from '../framework/options.js';
import { defineTool, ToolFailure, type ToolContext } from '../framework/tool.js';

const NAME = 'conntrack v1.4.8 (conntrack-tools)';
const COMMANDS = ['L,dump', 'D,delete', 'C,count', 'F,flush', 'S,stats', 'V,version', 'h,help'];
const UNSIMULATED = ['G,get', 'I,create', 'U,update', 'A,add', 'E,event'];
const FILTERS = [
  ...['s,src,orig-src:', 'd,dst,orig-dst:', 'r,reply-src:', 'q,reply-dst:', 'p,proto:', 'f,family:'],
  ...['sport,orig-port-src:', 'dport,orig-port-dst:', 'reply-port-src:', 'reply-port-dst:', 'state:', 'm,mark:'],
  ...['n,src-nat', 'g,dst-nat', 'j,any-nat', 'o,output:', 'z,zero'],
];
const OPTIONS = [...COMMANDS, ...UNSIMULATED, ...FILTERS];
const OTHER_ERROR = 1;
const PARAMETER_PROBLEM = 2;
/** Where conntrack's table may be named. */
const TABLES = ['conntrack', 'expect', 'dying', 'unconfirmed'];

/** Shows and forgets the connections that pass the machine's network namespace. Models conntrack-tools. */
export const conntrack = defineTool((tool) => {
  const options = parseOptions(tool, OPTIONS);
  if (options.has('V')) {
    tool.out(`${NAME}\n`);
    return 0;
  }
  const [table = 'conntrack'] = options.operands;
  if (!TABLES.includes(table)) throw failure(`Bad parameter \`${table}'`);
  for (const option of UNSIMULATED) {
    const letter = option.slice(0, 1);
    if (options.has(letter)) throw new ToolFailure(`-${letter} is not simulated here`, OTHER_ERROR);
  }
  if (!tool.sys.hasCapability('NET_ADMIN')) throw new ToolFailure(`${NAME}: Operation failed: Operation not permitted`);
  return run(tool, options, table === 'conntrack' ? (tool.sys.tracked() ?? []) : []);
});

const failure = (message: string): ToolFailure =>
  new ToolFailure(`${message}\nTry \`conntrack -h' or 'conntrack --help' for more information.`, PARAMETER_PROBLEM);

function run(tool: ToolContext, options: Options, all: readonly TrackEntry[]): number {
  if (options.has('C')) {
    tool.out(`${all.length}\n`);
    return 0;
  }
  if (options.has('S')) {
    tool.out('cpu=0   \tfound=0 invalid=0 insert=0 insert_failed=0 drop=0 early_drop=0 error=0 search_restart=0 \n');
    return 0;
  }
  if (options.has('F')) {
    for (const entry of all) tool.sys.forgetTrack(entry);
    tool.err(`${NAME}: connection tracking table has been emptied.\n`);
    return 0;
  }
  const isDeleting = options.has('D');
  if (!isDeleting && !options.has('L')) throw failure('You need to supply parameters!');
  const chosen = all.filter(chooserOf(options, tool.sys.now));
  const isExtended = (options.value('o') ?? '').split(',').includes('extended');
  for (const entry of chosen) {
    tool.out(`${printTrack(entry, tool.sys.now, isExtended)}\n`);
    if (isDeleting) tool.sys.forgetTrack(entry);
  }
  tool.err(`${NAME}: ${chosen.length} flow entries have been ${isDeleting ? 'deleted' : 'shown'}.\n`);
  return isDeleting && chosen.length === 0 ? OTHER_ERROR : 0;
}

type Chooser = (entry: TrackEntry) => boolean;

/** By option: what it asks of an entry. */
const CHOOSERS: Readonly<Record<string, (value: Bytes, now: number) => Chooser>> = {
  s: (value) => (entry) => originalOf(entry).source === value,
  d: (value) => (entry) => originalOf(entry).destination === value,
  r: (value) => (entry) => replyOf(entry).source === value,
  q: (value) => (entry) => replyOf(entry).destination === value,
  p: (value) => (entry) => entry.track.protocol === value.toLowerCase() || value === numberOf(entry),
  f: (value) => (entry) => isSixthTrack(entry) === (value === 'ipv6'),
  sport: (value) => (entry) => String(originalOf(entry).sourcePort) === value,
  dport: (value) => (entry) => String(originalOf(entry).destinationPort) === value,
  'reply-port-src': (value) => (entry) => String(replyOf(entry).sourcePort) === value,
  'reply-port-dst': (value) => (entry) => String(replyOf(entry).destinationPort) === value,
  state: (value, now) => (entry) => stateOf(entry.track, now).name === value.toUpperCase(),
  m: (value) => () => Number(value) === 0,
};

const numberOf = ({ track: { protocol } }: TrackEntry): string => ({ tcp: '6', udp: '17', icmp: '1' })[protocol];

function chooserOf(options: Options, now: number): Chooser {
  const chosen = Object.entries(CHOOSERS).flatMap(([name, make]) => {
    const value = options.value(name);
    return value === undefined ? [] : [make(value, now)];
  });
  if (options.has('n')) chosen.push(isSourceTranslated);
  if (options.has('g')) chosen.push(isTargetTranslated);
  if (options.has('j')) chosen.push((entry) => isSourceTranslated(entry) || isTargetTranslated(entry));
  return (entry) => chosen.every((matches) => matches(entry));
}

const isSourceTranslated: Chooser = ({ passing: { from, to } }) => from.source !== to.source;
const isTargetTranslated: Chooser = ({ passing: { from, to } }) =>
  from.destination !== to.destination || from.destinationPort !== to.destinationPort;
