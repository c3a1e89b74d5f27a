import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { NameAnswer } from '../../../engine/kernel/process/syscalls.js';
import { readResolverSettings, searchAsGlibc } from '../../servers/resolver.js';
import { formatDate } from '../coreutils/time/date-format.js';
import { defineTool, type WaitingContext } from '../framework/tool.js';
import { ask, findServer, reverseName, TRY_TIMEOUT_MS, withoutDot, type Outcome } from './ask.js';
import { messageSize, questionLine, recordLine } from './record-text.js';

const VERSION = '9.18.41-1~deb12u1-Debian';
const USAGE =
  'Usage:  dig [@global-server] [domain] [q-type] [q-class] {q-opt}\n' +
  '            {global-d-opt} host [@local-server] {local-d-opt}\n' +
  '            [ host [@local-server] {local-d-opt} [...]]\n\nUse "dig -h" (or "dig -h | more") for complete list of options\n';
const TYPES = new Set('A AAAA ANY CNAME MX NS PTR SOA SRV TXT CAA HINFO NAPTR DS DNSKEY HTTPS SVCB'.split(' '));
/** What +noall hides and +all shows. */
const SECTIONS = ['cmd', 'comments', 'question', 'answer', 'authority', 'additional', 'stats'] as const;
/** Switches that change nothing here. */
const WITHOUT_EFFECT = new Set(
  (
    'adflag cdflag cookie edns recurse rdflag aaflag dnssec do besteffort ttlid ttlunits class multiline ' +
    'rrcomments ignore idnin idnout keepopen crypto split identify qr nsid expandaaaa unknownformat badcookie fail'
  ).split(' '),
);
const MAX_NAMES = 100;

interface Request {
  readonly names: readonly { readonly name: Bytes; readonly type: string }[];
  readonly server: Bytes | undefined;
  readonly shows: ReadonlySet<string>;
  readonly isShort: boolean;
  readonly searches: boolean;
  readonly isTcp: boolean;
  readonly tries: number;
  readonly timeoutMs: number;
}

export const dig = defineTool((tool) => {
  const request = readRequest(tool);
  if (typeof request === 'number') return request;
  const { server: named } = request;
  const servers = named === undefined ? readResolverSettings(tool.sys).servers : [findServer(tool, named)];
  if (servers[0] === undefined) {
    tool.err(`dig: couldn't get address for '${named}': not found\n`);
    return 10;
  }
  let code = 0;
  request.names.forEach(({ name, type }, index) => {
    const banner = index === 0 && !request.isShort && request.shows.has('cmd') ? bannerOf(tool, request) : '';
    const found = askFor(tool, request, servers as string[], name, type);
    if (found.answer === undefined) {
      tool.out(
        `${found.errors.join('\n')}\n${index === 0 ? bannerOf(tool, request) : ''};; no servers could be reached\n`,
      );
      code = 9;
    } else print(tool, request, banner, { ...found, answer: found.answer }, type);
  });
  return code;
});

const bannerOf = (tool: WaitingContext, { server }: Request): Bytes =>
  `\n; <<>> DiG ${VERSION} <<>> ${tool.args.join(' ')}\n${server === undefined ? '' : '; (1 server found)\n'}` +
  ';; global options: +cmd\n';

function askFor(tool: WaitingContext, request: Request, servers: readonly string[], name: Bytes, type: string) {
  const { searches, tries, timeoutMs } = request;
  const names = searches ? searchAsGlibc(readResolverSettings(tool.sys), name) : [withoutDot(name)];
  let last: (Outcome & { readonly name: Bytes }) | undefined;
  for (const asked of names) {
    last = { ...ask(tool, { servers, name: asked, type, tries, timeoutMs }), name: asked };
    if (last.answer?.code !== 'NXDOMAIN') break;
  }
  return last!;
}

function print(
  tool: WaitingContext,
  { shows, isShort, isTcp }: Request,
  banner: Bytes,
  { answer, server, name }: { readonly answer: NameAnswer; readonly server: string; readonly name: Bytes },
  type: string,
): void {
  if (isShort) return tool.out(answer.records.map(({ data }) => `${data}\n`).join(''));
  const { records, authority = [], additional = [] } = answer;
  const asked = name === '' ? '.' : `${name}.`;
  const hasComments = shows.has('comments');
  const section = (title: string, key: string, lines: readonly Bytes[]): Bytes =>
    !shows.has(key) || lines.length === 0
      ? ''
      : `${hasComments ? `;; ${title} SECTION:\n` : ''}${lines.join('')}${hasComments ? '\n' : ''}`;
  const half = (): string =>
    Math.floor(tool.sys.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const cookie = half() + half();
  tool.out(banner);
  if (hasComments) tool.out(header(tool, answer, asked, cookie));
  tool.out(section('QUESTION', 'question', [questionLine(asked, type)]));
  tool.out(section('ANSWER', 'answer', records.map(recordLine)));
  tool.out(section('AUTHORITY', 'authority', authority.map(recordLine)));
  tool.out(section('ADDITIONAL', 'additional', additional.map(recordLine)));
  if (!shows.has('stats')) return;
  tool.out(
    `;; Query time: ${Math.round(answer.delay)} msec\n;; SERVER: ${server}#53(${server}) (${isTcp || type === 'ANY' ? 'TCP' : 'UDP'})\n` +
      `;; WHEN: ${formatDate('%a %b %d %H:%M:%S UTC %Y', tool.sys.now)}\n` +
      `;; MSG SIZE  rcvd: ${messageSize(asked, answer)}\n\n`,
  );
}

function header(tool: WaitingContext, answer: NameAnswer, asked: Bytes, cookie: string): Bytes {
  const { code, records, authority = [], additional = [], isAuthoritative = true, canRecurse } = answer;
  const id = Math.floor(tool.sys.random() * 65_536);
  const flags = `qr${isAuthoritative ? ' aa' : ''} rd${canRecurse ? ' ra' : ''}`;
  const counts = `ANSWER: ${records.length}, AUTHORITY: ${authority.length}, ADDITIONAL: ${additional.length + 1}`;
  const isMulticast = asked.endsWith('.local.');
  return (
    ';; Got answer:\n' +
    (isMulticast
      ? ';; WARNING: .local is reserved for Multicast DNS\n;; You are currently testing what happens when an mDNS query is leaked to DNS\n'
      : '') +
    `;; ->>HEADER<<- opcode: QUERY, status: ${code}, id: ${id}\n;; flags: ${flags}; QUERY: 1, ${counts}\n` +
    (canRecurse ? '' : ';; WARNING: recursion requested but not available\n') +
    `\n;; OPT PSEUDOSECTION:\n; EDNS: version: 0, flags:; udp: 1232\n; COOKIE: ${cookie} (echoed)\n`
  );
}

/** A number: the exit code of a command line that is wrong, of which all is said. */
function readRequest(tool: WaitingContext): Request | number {
  const names: { name: Bytes; type: string }[] = [];
  const shows = new Set<string>(SECTIONS);
  const request = { isShort: false, searches: false, isTcp: false, tries: 3, timeoutMs: TRY_TIMEOUT_MS };
  let server: Bytes | undefined;
  let type = '';
  const rest = [...tool.args];
  const invalid = (word: Bytes): number => {
    tool.err(`Invalid option: ${word}\n${USAGE}`);
    return 1;
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word.startsWith('@')) server = word.slice(1);
    else if (word.startsWith('+')) {
      if (!readSwitch(word.slice(1), request, shows)) return invalid(word);
    } else if (word === '-x') names.push({ name: reverseName(rest.shift() ?? ''), type: 'PTR' });
    else if (word === '-t') type = (rest.shift() ?? '').toUpperCase();
    else if (word === '-q') names.push({ name: rest.shift() ?? '', type: '' });
    else if (word === '-c' || word === '-b') rest.shift();
    else if (word === '-p') {
      if (rest.shift() !== '53') {
        tool.err('dig: only port 53 is simulated\n');
        return 1;
      }
    } else if (word === '-v') {
      tool.out(`DiG ${VERSION}\n`);
      return 0;
    } else if (word === '-4') continue;
    else if (word.startsWith('-')) return invalid(word);
    else if (TYPES.has(word.toUpperCase())) type = word.toUpperCase();
    else if (word.toUpperCase() !== 'IN') names.push({ name: word, type: '' });
    if (names.length > MAX_NAMES) return invalid('too many names');
  }
  const asked = names.length > 0 ? names : [{ name: '.', type: type || 'NS' }];
  return { ...request, server, shows, names: asked.map((one) => ({ name: one.name, type: one.type || type || 'A' })) };
}

/** `+short`, `+noall`, `+time=2`. False: there is no such switch. */
function readSwitch(
  word: string,
  request: { isShort: boolean; searches: boolean; isTcp: boolean; tries: number; timeoutMs: number },
  shows: Set<string>,
): boolean {
  const [name = '', value = ''] = word.split('=', 2);
  const isOff = name.startsWith('no');
  const plain = isOff ? name.slice(2) : name;
  const number = Number(value);
  if (plain === 'all')
    for (const section of SECTIONS)
      if (isOff) shows.delete(section);
      else shows.add(section);
  else if ((SECTIONS as readonly string[]).includes(plain)) void (isOff ? shows.delete(plain) : shows.add(plain));
  else if (plain === 'short') request.isShort = !isOff;
  else if (plain === 'search' || plain === 'defname') request.searches = !isOff;
  else if (plain === 'tcp' || plain === 'vc') request.isTcp = !isOff;
  else if ((plain === 'time' || plain === 'timeout') && number >= 1) request.timeoutMs = 1_000 * Math.min(300, number);
  else if (plain === 'tries' && number >= 1) request.tries = Math.min(10, number);
  else if (plain === 'retry' && number >= 0) request.tries = Math.min(10, number + 1);
  else return WITHOUT_EFFECT.has(plain) || ['bufsize', 'ndots'].includes(plain);
  return true;
}
