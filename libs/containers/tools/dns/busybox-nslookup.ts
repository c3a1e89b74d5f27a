import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { NameAnswer, NameRecord } from '../../../engine/kernel/process/syscalls.js';
import { lookUp } from '../../servers/lookup.js';
import { readResolverSettings } from '../../servers/resolver.js';
import { defineTool, type WaitingContext, UsageFailure } from '../framework/tool.js';
import { ADDRESS, findServer, reverseName, TRY_TIMEOUT_MS, withoutDot } from './ask.js';
import { readNslookup } from './nslookup-words.js';

const UNREACHED = ';; connection timed out; no servers could be reached\n\n';

/** A and AAAA are asked with every domain of the search list, and only for names without a dot. */
export function lookUpWithBusybox(tool: WaitingContext): number {
  const { name, server: named, types, timeoutMs = TRY_TIMEOUT_MS } = readNslookup(tool);
  if (name === '') throw new UsageFailure('');
  const { servers: own, search } = readResolverSettings(tool.sys);
  const found = named === undefined ? undefined : findServer(tool, named);
  if (named !== undefined && found === undefined) {
    tool.err(`nslookup: bad address '${named}'\n`);
    return 1;
  }
  const servers = found === undefined ? own : [found];
  const isPointer = ADDRESS.test(name);
  const names = isPointer
    ? [reverseName(name)]
    : name.includes('.') || search.length === 0
      ? [withoutDot(name)]
      : search.map((domain) => `${name}.${domain}`);
  const wanted = types.length > 0 ? types : isPointer ? ['PTR'] : ['A', 'AAAA'];
  const questions = wanted.flatMap((type) => names.map((asked) => [asked, type] as const));
  for (const server of servers) {
    const answers = askTogether(tool, server, questions, timeoutMs);
    if (answers !== undefined) return print(tool, named ?? server, server, questions, answers);
  }
  tool.out(UNREACHED);
  return 1;
}

/** All questions at once; undefined when the server gives no answer. */
function askTogether(
  tool: WaitingContext,
  server: string,
  questions: readonly (readonly [Bytes, string])[],
  timeoutMs: number,
): NameAnswer[] | undefined {
  const { answers } = tool.once(() => {
    const all = questions.map(([name, type]) => tool.sys.queryName(server, name, type));
    const isSilent = all.every(({ failure }) => failure !== undefined);
    const delay = isSilent ? timeoutMs : Math.max(...all.map((answer) => answer.delay));
    return { value: { answers: all as never as NameAnswer[] } as never as { answers: never }, delay };
  }) as { answers: NameAnswer[] };
  if (!answers.every(({ failure }) => failure !== undefined)) return answers;
  if (answers.some(({ failure }) => failure === 'refused'))
    tool.err(`nslookup: write to '${server}:53': Connection refused\n`);
  return undefined;
}

function print(
  tool: WaitingContext,
  shown: Bytes,
  server: string,
  questions: readonly (readonly [Bytes, string])[],
  answers: readonly NameAnswer[],
): number {
  tool.out(`Server:\t\t${shown}\nAddress:\t${server}:53\n\n`);
  let code = 0;
  answers.forEach((answer, index) => {
    if (answer.code === 'NOERROR') return tool.out(`${answer.records.map(recordText).join('')}\n`);
    tool.out(`** server can't find ${questions[index]![0]}: ${answer.code}\n\n`);
    code = 1;
  });
  return code;
}

function recordText({ name, type, data }: NameRecord): Bytes {
  const owner = withoutDot(name);
  if (type === 'A' || type === 'AAAA') return `Name:\t${owner}\nAddress: ${data}\n`;
  const words: Readonly<Record<string, string>> = { CNAME: 'canonical name', PTR: 'name', SRV: 'service', TXT: 'text' };
  return `${owner}\t${words[type] ?? type.toLowerCase()} = ${withoutDot(data)}\n`;
}

/** Up to busybox 1.28 it asks getaddrinfo, and knows of no types. */
export const oldNslookup = defineTool(
  (tool) => {
    const { name, server: named, types } = readNslookup(tool);
    if (name === '' || types.length > 0) throw new UsageFailure('');
    const server = named ?? readResolverSettings(tool.sys).servers[0] ?? '0.0.0.0';
    const serverName = nameOf(tool, server);
    tool.out(`Server:    ${server}\nAddress 1: ${server}${serverName === '' ? '' : ` ${serverName}`}\n\n`);
    const { addresses } = tool.once(() => {
      const found = lookUp(tool.sys, name);
      return { value: { addresses: [...found.addresses] }, delay: found.delay };
    });
    if (addresses.length === 0) {
      tool.err(`nslookup: can't resolve '${name}'\n`);
      return 1;
    }
    tool.out(`Name:      ${name}\n`);
    addresses.forEach((address, index) => {
      const host = nameOf(tool, address);
      tool.out(`Address ${index + 1}: ${address}${host === '' ? '' : ` ${host}`}\n`);
    });
    return 0;
  },
  { usage: '[HOST] [SERVER]' },
);

/** The name of an address; '' when it has none. */
function nameOf(tool: WaitingContext, address: string): string {
  if (!ADDRESS.test(address)) return '';
  const [server = ''] = readResolverSettings(tool.sys).servers;
  return tool.once(() => {
    const { records, delay } = tool.sys.queryName(server, reverseName(address), 'PTR');
    return { value: { name: withoutDot(records.find(({ type }) => type === 'PTR')?.data ?? '') }, delay };
  }).name;
}
