import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { NameAnswer } from '../../../engine/kernel/process/syscalls.js';
import { lookUp, readResolverSettings } from '../../servers/lookup.js';
import { readSmallFile } from '../accounts.js';
import { formatDate } from '../coreutils/time/date-format.js';
import { parseOptions } from '../options.js';
import { defineTool, type ToolContext, UsageFailure } from '../tool.js';

const TYPES = ['A', 'AAAA', 'ANY', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT', 'CAA'];
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

const reverseName = (address: Bytes): Bytes => `${address.split('.').reverse().join('.')}.in-addr.arpa`;
const withoutDot = (name: Bytes): Bytes => name.replace(/\.$/, '');

/** The server that is asked: the cluster's own by resolv.conf, or one that is named. Undefined: it does not answer. */
function findServer(tool: ToolContext, named: Bytes | undefined): string | undefined {
  const { servers } = readResolverSettings(tool.sys);
  if (named === undefined) return servers[0];
  const address = ADDRESS.test(named) ? named : lookUp(tool.sys, named).addresses[0];
  return address !== undefined && servers.includes(address) ? address : undefined;
}

/** Names that a search list makes of one. Models lwres' ndots. */
function searchNames(tool: ToolContext, name: Bytes): Bytes[] {
  if (name.endsWith('.')) return [withoutDot(name)];
  const { search, dots } = readResolverSettings(tool.sys);
  const searched = search.map((domain) => `${name}.${domain}`);
  return name.split('.').length > dots ? [name, ...searched] : [...searched, name];
}

function ask(
  tool: ToolContext,
  names: readonly Bytes[],
  type: string,
): { readonly name: Bytes; readonly answer: NameAnswer } {
  let last = { name: names[0]!, answer: tool.sys.queryName(names[0]!, type) };
  for (const name of names.slice(1)) {
    if (last.answer.code === 'NOERROR') break;
    last = { name, answer: tool.sys.queryName(name, type) };
  }
  return last;
}

// nslookup

export const nslookup = defineTool((tool) => (tool.flavour === 'gnu' ? lookUpWithBind(tool) : lookUpWithBusybox(tool)));

function readNslookup(tool: ToolContext): { name: Bytes; server: Bytes | undefined; types: string[] } {
  const types: string[] = [];
  const words: Bytes[] = [];
  for (const word of tool.args) {
    const type = /^-(?:q|query|type|querytype|ty)=(.*)$/i.exec(word)?.[1];
    if (type !== undefined) types.push(type.toUpperCase());
    else if (!word.startsWith('-')) words.push(word);
    else if (!/^-(?:debug|port=\d+|timeout=\d+|retry=\d+)$/.test(word))
      throw new UsageFailure(`invalid option -- '${word[1]}'`);
  }
  if (words.length === 0) throw new UsageFailure('');
  return { name: words[0]!, server: words[1], types };
}

const NO_SERVERS = ';; connection timed out; no servers could be reached\n\n';

function lookUpWithBind(tool: ToolContext): number {
  const { name, server: named, types } = readNslookup(tool);
  const server = findServer(tool, named);
  if (server === undefined) {
    tool.out(NO_SERVERS);
    return 1;
  }
  const isAddress = ADDRESS.test(name);
  const wanted = types[0] ?? (isAddress ? 'PTR' : 'A');
  const { name: asked, answer } = ask(tool, isAddress ? [reverseName(name)] : searchNames(tool, name), wanted);
  if (!isAddress) tool.out(`Server:\t\t${server}\nAddress:\t${server}#53\n\n`);
  if (answer.code !== 'NOERROR') {
    const shown = isAddress ? reverseName(name) : answer.code === 'NXDOMAIN' ? withoutDot(name) : asked;
    tool.out(`** server can't find ${shown}: ${answer.code}\n\n`);
    return 1;
  }
  if (answer.records.length === 0) tool.out(`*** Can't find ${name}: No answer\n`);
  for (const { name: owner, type, data } of answer.records) {
    if (type === 'A' || type === 'AAAA') tool.out(`Name:\t${withoutDot(owner)}\nAddress: ${data}\n`);
    else if (type === 'CNAME') tool.out(`${withoutDot(owner)}\tcanonical name = ${data}\n`);
    else if (type === 'PTR') tool.out(`${withoutDot(owner)}\tname = ${data}\n`);
    else if (type === 'SRV') tool.out(`${withoutDot(owner)}\tservice = ${data}\n`);
    else tool.out(`${withoutDot(owner)}\t${type === 'TXT' ? 'text' : type.toLowerCase()} = ${data}\n`);
  }
  tool.out('\n');
  return 0;
}

/** busybox asks for A and AAAA with every domain of the search list, and only for names without a dot. */
function lookUpWithBusybox(tool: ToolContext): number {
  const { name, server: named, types } = readNslookup(tool);
  const server = findServer(tool, named);
  const shownServer = server ?? (named !== undefined && ADDRESS.test(named) ? named : undefined);
  if (shownServer === undefined) {
    tool.err(named === undefined ? NO_SERVERS : `nslookup: can't resolve '${named}'\n`);
    return 1;
  }
  tool.out(`Server:\t\t${shownServer}\nAddress:\t${shownServer}:53\n\n`);
  if (server === undefined) {
    tool.out(';; connection timed out; no servers could be reached\n\n');
    return 1;
  }
  const { search } = readResolverSettings(tool.sys);
  const isAddress = ADDRESS.test(name);
  const names = isAddress
    ? [reverseName(name)]
    : name.includes('.') || search.length === 0
      ? [withoutDot(name)]
      : search.map((domain) => `${name}.${domain}`);
  const wanted = types.length > 0 ? types : isAddress ? ['PTR'] : ['A', 'AAAA'];
  let code = 0;
  for (const type of wanted) {
    for (const asked of names) {
      const answer = tool.sys.queryName(asked, type);
      if (answer.code !== 'NOERROR') {
        tool.out(`** server can't find ${asked}: ${answer.code}\n\n`);
        code = 1;
        continue;
      }
      for (const record of answer.records) tool.out(busyboxRecord(record));
      tool.out('\n');
    }
  }
  return code;
}

function busyboxRecord({ name, type, data }: NameAnswer['records'][number]): Bytes {
  const owner = withoutDot(name);
  if (type === 'A' || type === 'AAAA') return `Name:\t${owner}\nAddress: ${data}\n`;
  if (type === 'CNAME') return `${owner}\tcanonical name = ${withoutDot(data)}\n`;
  if (type === 'PTR') return `${owner}\tname = ${withoutDot(data)}\n`;
  if (type === 'SRV') return `${owner}\tservice = ${withoutDot(data)}\n`;
  return `${owner}\t${type === 'TXT' ? 'text' : type.toLowerCase()} = ${data}\n`;
}

// dig and host

const DIG_VERSION = '9.18.33-1~deb12u2-Debian';

export const dig = defineTool((tool) => {
  const names: Bytes[] = [];
  let [type, named]: [string, Bytes | undefined] = ['', undefined];
  const flags = new Set<string>();
  const rest = [...tool.args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word.startsWith('@')) named = word.slice(1);
    else if (word.startsWith('+')) flags.add(word.slice(1));
    else if (word === '-x') {
      names.push(reverseName(rest.shift() ?? ''));
      type ||= 'PTR';
    } else if (word === '-t') type = (rest.shift() ?? '').toUpperCase();
    else if (word === '-p' || word === '-q' || word === '-c') {
      const value = rest.shift() ?? '';
      if (word === '-q') names.push(value);
    } else if (word === '-4' || word === '-6') continue;
    else if (word.startsWith('-')) {
      tool.err(`Invalid option: ${word}\nUsage:  dig [@global-server] [domain] [q-type] [q-class] {q-opt}\n`);
      return 1;
    } else if (TYPES.includes(word.toUpperCase())) type = word.toUpperCase();
    else if (word.toUpperCase() !== 'IN') names.push(word);
  }
  const server = findServer(tool, named);
  const shownWords = tool.args.join(' ');
  const banner = `\n; <<>> DiG ${DIG_VERSION} <<>> ${shownWords}\n`;
  if (server === undefined) {
    const target = named ?? '127.0.0.1';
    if (!flags.has('short')) tool.out(`${banner}; (1 server found)\n;; global options: +cmd\n`);
    tool.out(`;; communications error to ${target}#53: timed out\n;; no servers could be reached\n`);
    return 9;
  }
  for (const name of names.length > 0 ? names : ['.']) {
    const asked = flags.has('search') ? searchNames(tool, name) : [withoutDot(name)];
    const { name: found, answer } = ask(tool, asked, type || 'A');
    if (flags.has('short')) tool.out(answer.records.map(({ data }) => `${data}\n`).join(''));
    else if (flags.has('noall') && flags.has('answer')) tool.out(answer.records.map(digRecord).join(''));
    else
      tool.out(
        digText(tool, banner + (named === undefined ? '' : '; (1 server found)\n'), server, found, type || 'A', answer),
      );
  }
  return 0;
});

const digRecord = ({ name, ttl, type, data }: NameAnswer['records'][number]): Bytes => {
  const tabs = '\t'.repeat(Math.max(1, 3 - Math.floor(name.length / 8)));
  return `${name}${name.length >= 24 ? ' ' : tabs}${ttl}${name.length >= 24 ? ' ' : '\t'}IN${name.length >= 24 ? ' ' : '\t'}${type}${name.length >= 24 ? ' ' : '\t'}${data}\n`;
};

function digText(
  tool: ToolContext,
  banner: Bytes,
  server: string,
  name: Bytes,
  type: string,
  answer: NameAnswer,
): Bytes {
  const { sys } = tool;
  const id = Math.floor(sys.random() * 65_536);
  const count = answer.records.length;
  const question = `${withoutDot(name)}.`;
  const isLong = question.length >= 23;
  const size =
    40 +
    2 * question.length +
    answer.records.reduce((sum, { name: owner, data }) => sum + owner.length + data.length, 0);
  return [
    `${banner};; global options: +cmd\n;; Got answer:`,
    `;; ->>HEADER<<- opcode: QUERY, status: ${answer.code}, id: ${id}`,
    `;; flags: qr${answer.code === 'SERVFAIL' ? '' : ' aa'} rd; QUERY: 1, ANSWER: ${count}, AUTHORITY: 0, ADDITIONAL: 1`,
    ';; WARNING: recursion requested but not available',
    '',
    ';; OPT PSEUDOSECTION:',
    '; EDNS: version: 0, flags:; udp: 1232',
    ';; QUESTION SECTION:',
    isLong ? `;${question} IN ${type}` : `;${question}\t\t\tIN\t${type}`,
    '',
    ...(count > 0 ? [';; ANSWER SECTION:', ...answer.records.map((record) => digRecord(record).slice(0, -1)), ''] : []),
    `;; Query time: ${Math.round(answer.delay)} msec`,
    `;; SERVER: ${server}#53(${server}) (UDP)`,
    `;; WHEN: ${formatDate('%a %b %d %H:%M:%S UTC %Y', sys.now)}`,
    `;; MSG SIZE  rcvd: ${size}`,
    '',
    '',
  ].join('\n');
}

export const host = defineTool((tool) => {
  const options = parseOptions(tool, ['t:', 'a', 'v', '4', '6', 'W:']);
  const [name, named] = options.operands;
  if (name === undefined) throw new UsageFailure('');
  const server = findServer(tool, named);
  if (server === undefined) {
    tool.out(NO_SERVERS);
    return 1;
  }
  const isAddress = ADDRESS.test(name);
  const type = options.value('t')?.toUpperCase() ?? (isAddress ? 'PTR' : 'A');
  const { name: asked, answer } = ask(tool, isAddress ? [reverseName(name)] : searchNames(tool, name), type);
  if (answer.code !== 'NOERROR') {
    tool.out(
      `Host ${isAddress ? asked : name} not found: ${answer.code === 'NXDOMAIN' ? '3(NXDOMAIN)' : '2(SERVFAIL)'}\n`,
    );
    return 1;
  }
  const words: Readonly<Record<string, string>> = {
    A: 'has address',
    CNAME: 'is an alias for',
    PTR: 'domain name pointer',
    SRV: 'has SRV record',
  };
  for (const record of answer.records)
    tool.out(`${withoutDot(record.name)} ${words[record.type] ?? `has ${record.type} record`} ${record.data}\n`);
  if (answer.records.length === 0) tool.out(`${name} has no ${type} record\n`);
  return 0;
});

// getent

export const getent = defineTool((tool) => {
  const [database, ...keys] = tool.args.filter((word) => !word.startsWith('-'));
  if (database === undefined) throw new UsageFailure('wrong number of arguments');
  const print = (lines: readonly (Bytes | undefined)[]): number => {
    for (const line of lines) if (line !== undefined) tool.out(line);
    return lines.includes(undefined) ? 2 : 0;
  };
  if (database === 'hosts') {
    if (keys.length === 0) return print([readSmallFile(tool.sys, '/etc/hosts')]);
    return print(
      keys.map((key) => {
        const { addresses } = lookUp(tool.sys, key);
        return addresses.length === 0
          ? undefined
          : addresses.map((address) => `${address.padEnd(15)} ${key}\n`).join('');
      }),
    );
  }
  if (database.startsWith('ahosts')) {
    return print(
      keys.map((key) => {
        const { addresses } = lookUp(tool.sys, key);
        if (addresses.length === 0) return undefined;
        const row = (address: string, type: string, name: Bytes): Bytes =>
          `${address.padEnd(15)} ${type.padEnd(6)} ${name}\n`;
        return addresses
          .map(
            (address, i) =>
              row(address, 'STREAM', i === 0 ? key : '') + row(address, 'DGRAM', '') + row(address, 'RAW', ''),
          )
          .join('');
      }),
    );
  }
  if (database === 'passwd' || database === 'group') {
    const lines = readSmallFile(tool.sys, `/etc/${database}`).split('\n').filter(Boolean);
    if (keys.length === 0) return print(lines.map((line) => `${line}\n`));
    const find = (key: Bytes): Bytes | undefined =>
      lines.find((line) => line.split(':')[0] === key || line.split(':')[2] === key);
    return print(keys.map((key) => (find(key) === undefined ? undefined : `${find(key)}\n`)));
  }
  if (database === 'services') {
    const found = keys.map((key) => SERVICES.find(([name, port]) => name === key || port === key));
    return print(found.map((entry) => entry && `${entry[0].padEnd(21)} ${entry[1]}/tcp\n`));
  }
  tool.err(`Unknown database: ${database}\nTry \`getent --help' or \`getent --usage' for more information.\n`);
  return 1;
});

const SERVICES: readonly (readonly [Bytes, Bytes])[] = [
  ['ssh', '22'],
  ['domain', '53'],
  ['http', '80'],
  ['https', '443'],
  ['mysql', '3306'],
  ['postgresql', '5432'],
  ['redis', '6379'],
];
