import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { NameRecord } from '../../../engine/kernel/process/syscalls.js';
import { readResolverSettings, searchAsGlibc } from '../../servers/resolver.js';
import { defineTool, type WaitingContext, UsageFailure } from '../framework/tool.js';
import { ADDRESS, ask, askAll, findServer, reverseName, TRY_TIMEOUT_MS, withoutDot, type Outcome } from './ask.js';
import { lookUpWithBusybox } from './busybox-nslookup.js';
import { readNslookup } from './nslookup-words.js';

const TRIES = 3;

export const nslookup = defineTool((tool) => (tool.flavour === 'gnu' ? lookUpWithBind(tool) : lookUpWithBusybox(tool)));

function lookUpWithBind(tool: WaitingContext): number {
  const { name, server: named, types, timeoutMs, tries } = readNslookup(tool);
  if (name === '') throw new UsageFailure('the interactive mode is not simulated');
  const server = named === undefined ? undefined : findServer(tool, named);
  if (named !== undefined && server === undefined) {
    tool.out(`nslookup: couldn't get address for '${named}': not found\n`);
    return 1;
  }
  const servers = server === undefined ? readResolverSettings(tool.sys).servers : [server];
  const isPointer = ADDRESS.test(name);
  const question = { servers, tries: tries ?? TRIES, timeoutMs: timeoutMs ?? TRY_TIMEOUT_MS };
  const names = isPointer ? [reverseName(name)] : searchAsGlibc(readResolverSettings(tool.sys), name);
  const type = types[0] ?? (isPointer ? 'PTR' : 'A');
  const found = askAll(tool, names, { ...question, type });
  if (found.answer === undefined) {
    tool.out(`${found.errors.join('\n')}\n;; no servers could be reached\n\n`);
    return 1;
  }
  const { code, records } = found.answer;
  if (code === 'SERVFAIL') tool.out(`;; Got SERVFAIL reply from ${found.server}\n`);
  if (!isPointer || code !== 'NOERROR') tool.out(serverLines(isPointer && code !== 'NOERROR' ? '' : found.server));
  if (code !== 'NOERROR') {
    tool.out(`** server can't find ${isPointer ? reverseName(name) : withoutDot(name)}: ${code}\n\n`);
    return 1;
  }
  // The second address family is asked for the name that was found.
  const second =
    types.length === 0 && !isPointer ? ask(tool, { ...question, name: found.name, type: 'AAAA' }) : undefined;
  const lines = [...records, ...newRecords(second, records)].map(bindRecord);
  if (lines.length === 0) tool.out(`*** Can't find ${name}: No answer\n`);
  tool.out(`${lines.join('')}\n`);
  return 0;
}

const serverLines = (server: string): Bytes =>
  server === '' ? '' : `Server:\t\t${server}\nAddress:\t${server}#53\n\n`;

const newRecords = (second: Outcome | undefined, known: readonly NameRecord[]): NameRecord[] =>
  (second?.answer?.records ?? []).filter(
    ({ name, type, data }) => !known.some((one) => one.name === name && one.type === type && one.data === data),
  );

function bindRecord({ name: owner, type, data }: NameRecord): Bytes {
  const name = withoutDot(owner);
  if (type === 'A' || type === 'AAAA') return `Name:\t${name}\nAddress: ${data}\n`;
  const words: Readonly<Record<string, string>> = {
    ...{ CNAME: 'canonical name', PTR: 'name', SRV: 'service', TXT: 'text', MX: 'mail exchanger', NS: 'nameserver' },
  };
  if (type === 'SOA') return `${name}\n${startOfAuthority(data)}`;
  return `${name}\t${words[type] ?? type.toLowerCase()} = ${data}\n`;
}

function startOfAuthority(data: string): Bytes {
  const [origin = '', mail = '', ...numbers] = data.split(' ');
  const names = ['serial', 'refresh', 'retry', 'expire', 'minimum'];
  return [
    `\torigin = ${withoutDot(origin)}`,
    `\tmail addr = ${withoutDot(mail)}`,
    ...names.map((name, i) => `\t${name} = ${numbers[i]}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
