import type { Command, Statement } from 'unbash';
import { isText, parseScript, scriptOf } from './shell-script.js';

/** What may end the shell, or lets its course depend on more than its text. */
const LEAVES = new Set(
  '. break eval exec exit kill killall kubectl pkill python python3 return set source trap'.split(' '),
);
/** They may wait for the API server, which answers at that very time, unless they name another host. */
const CLIENTS = new Set('curl nc ncat telnet wget'.split(' '));
/** The API server by its Service's name or address, and what may be either. */
const API_SERVER = /kubernetes|^(?:https?:\/\/)?10\.96\.0\.1(?:$|[:/])/;
/** They speak to nobody. */
const QUIET = new Set(
  'true false : sleep echo date printf test [ cat cd ls seq expr head tail wc touch mkdir rm hostname'.split(' '),
);
/** Files of bash that are connections. */
const SOCKETS = /\/dev\/(?:tcp|udp)\//;

/**
 * Whether a command line is a script with `while true` that nothing in it leaves: its container never ends by itself,
 * so that nobody has to run it ahead to know. False when that is not sure.
 */
export function isEndless(argv: readonly string[]): boolean {
  const script = scriptOf(argv);
  if (script === undefined || !/\b(?:while|until)\b/.test(script)) return false;
  const commands = parseScript(script);
  return commands !== undefined && commands.some(isEndlessLoop) && !mayLeave(commands);
}

/** Whether such a script calls only what sends nothing over a network. False when that is not sure. */
export function isQuiet(argv: readonly string[]): boolean {
  const script = argv[2] ?? '';
  return isEndless(argv) && !SOCKETS.test(script) && callsOnlyQuiet(parseScript(script));
}

/** What the parser reads only when it is asked for: a word's parts, and the script of a substitution. */
interface Inner {
  readonly parts?: unknown;
  readonly script?: unknown;
}

function callsOnlyQuiet(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(callsOnlyQuiet);
  if (typeof value !== 'object' || value === null) return true;
  const node = value as { readonly type?: string; readonly name?: { readonly value?: string } } & Inner;
  if (node.type === 'Command' && node.name && !QUIET.has(node.name.value ?? '')) return false;
  return [...Object.values(value), node.parts, node.script].every(callsOnlyQuiet);
}

function isEndlessLoop({ command, background }: Statement): boolean {
  if (background || command.type !== 'While' || command.clause.commands.length !== 1) return false;
  const [test] = command.clause.commands;
  if (test?.command.type !== 'Command') return false;
  const { name, suffix } = test.command;
  if (command.kind === 'until') return name?.value === 'false';
  return name?.value === 'true' || name?.value === ':' || (name?.value === 'sleep' && isTime(suffix));
}

const isTime = ([word, ...more]: Command['suffix']): boolean =>
  word?.type === 'Word' && more.length === 0 && /^\d{1,9}(?:\.\d{1,9})?$/.test(word.value);

/** Walks through everything in the script, the commands in its substitutions too. */
function mayLeave(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mayLeave);
  if (typeof value !== 'object' || value === null) return false;
  const node = value as {
    readonly type?: string;
    readonly name?: { readonly value?: string; readonly parts?: unknown };
    readonly suffix?: Command['suffix'];
  };
  if (node.type === 'Statement' && (value as Statement).background) return true;
  if (node.type === 'Command' && node.name && (node.name.parts !== undefined || LEAVES.has(node.name.value ?? '')))
    return true;
  if (node.type === 'Command' && CLIENTS.has(node.name?.value ?? '') && mayAskApiServer(node.suffix)) return true;
  if (node.type === 'Assignment' && growsItself(value as { readonly text?: string })) return true;
  return Object.values(value).some(mayLeave);
}

const mayAskApiServer = (words: Command['suffix'] = []): boolean =>
  words.some((word) => word.type === 'Word' && (!isText(word) || API_SERVER.test(word.value)));

/** x=$x$x, which ends at the container's limit of memory; counters do not grow. */
function growsItself({ text = '' }: { readonly text?: string }): boolean {
  const [, name = ''] = /^(\w+)\+?=/.exec(text) ?? [];
  const rest = text.slice(name.length).replace(/\$\(\(.*?\)\)/g, '');
  return text.startsWith(`${name}+=`) || new RegExp(`\\$\\{?${name}\\b`).test(rest);
}
