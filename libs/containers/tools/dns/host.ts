import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { NameRecord } from '../../../engine/kernel/process/syscalls.js';
import { readResolverSettings, searchAsGlibc } from '../../servers/resolver.js';
import { parseOptions } from '../framework/options.js';
import { defineTool, UsageFailure } from '../framework/tool.js';
import { ADDRESS, ask, askAll, findServer, reverseName, TRY_TIMEOUT_MS, withoutDot } from './ask.js';

const TRIES = 2;
/** What it asks for when no type is named. */
const TYPES: readonly string[] = ['A', 'AAAA', 'MX'];
const RCODES: Readonly<Record<string, number>> = { SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };
const WORDS: Readonly<Record<string, string>> = {
  ...{ A: 'has address', AAAA: 'has IPv6 address', CNAME: 'is an alias for', PTR: 'domain name pointer' },
  ...{ SRV: 'has SRV record', TXT: 'descriptive text', NS: 'name server', MX: 'mail is handled by' },
};

export const host = defineTool((tool) => {
  const options = parseOptions(tool, ['t:', '4', 'W:', 'R:']);
  const [name, named] = options.operands;
  if (name === undefined) throw new UsageFailure('');
  const server = named === undefined ? undefined : findServer(tool, named);
  if (named !== undefined && server === undefined) {
    tool.out(`host: couldn't get address for '${named}': not found\n`);
    return 1;
  }
  const settings = readResolverSettings(tool.sys);
  const isPointer = ADDRESS.test(name);
  const wanted = options.value('t')?.toUpperCase();
  const types = wanted === undefined ? (isPointer ? ['PTR'] : TYPES) : [wanted];
  const seconds = Number(options.value('W') ?? 0);
  const question = {
    ...{ servers: server === undefined ? settings.servers : [server], tries: Number(options.value('R') ?? TRIES) },
    timeoutMs: seconds > 0 ? seconds * 1_000 : TRY_TIMEOUT_MS,
  };
  const names = isPointer ? [reverseName(name)] : searchAsGlibc(settings, name);
  const found = askAll(tool, names, { ...question, type: types[0]! });
  if (found.answer === undefined) {
    tool.out(`${found.errors.join('\n')}\n;; no servers could be reached\n`);
    return 1;
  }
  if (named !== undefined) tool.out(`Using domain server:\nName: ${named}\nAddress: ${found.server}#53\nAliases: \n\n`);
  const { code } = found.answer;
  if (code !== 'NOERROR') {
    const shown = isPointer ? withoutDot(`${reverseName(name)}.`) : code === 'NXDOMAIN' ? name : found.name;
    tool.out(`Host ${shown} not found: ${RCODES[code] ?? 2}(${code})\n`);
    return 1;
  }
  const more = types
    .slice(1)
    .flatMap((type) => ask(tool, { ...question, name: found.name, type }).answer?.records ?? []);
  const lines = [...found.answer.records, ...more.filter(({ type }) => type !== 'CNAME')].map(recordText);
  if (lines.length === 0 && wanted !== undefined) lines.push(`${found.name} has no ${wanted} record\n`);
  tool.out(lines.join(''));
  return 0;
});

const recordText = ({ name, type, data }: NameRecord): Bytes =>
  `${withoutDot(name)} ${WORDS[type] ?? `has ${type} record`} ${data}\n`;
