/* eslint-disable require-yield -- commands are generators so that some of them can sleep */
import { arithmetic } from './expand.js';
import { Exit, LoopControl, type Running } from './control.js';
import type { PodHttpAnswer } from '@terrarium/engine';
import type { Shell } from './shell.js';

type Command = (shell: Shell, args: readonly string[]) => Running;

const SECOND = 1000;
/** Hosts a script is remembered to wait for. */
const MAX_MISSING = 100;
/** A process that waits for ever. */
const FOREVER = 1e15;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400 };

/** '5', '0.5', '2m', 'infinity' in ms. */
export function sleepTime(text: string | undefined): number {
  if (text === 'infinity' || text === 'inf') return FOREVER;
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text ?? '');
  return match ? Number(match[1]) * UNITS[match[2] || 's']! * SECOND : 0;
}

const lines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

function* done(code = 0): Running {
  return code;
}

/** Text of the named files, or of standard input; missing ones are complained about. */
function input(shell: Shell, name: string, files: readonly string[]): { text: string; code: number } {
  if (files.length === 0) return { text: shell.stdin, code: 0 };
  let [text, code] = ['', 0];
  for (const file of files) {
    const found = shell.files.get(file) ?? (shell.world.mounts.some((m) => file.startsWith(`${m}/`)) ? '' : undefined);
    if (found === undefined) {
      shell.write(`${name}: can't open '${file}': No such file or directory\n`);
      code = 1;
    } else text += found;
  }
  return { text, code };
}

const operands = (args: readonly string[]): string[] => args.filter((a) => !a.startsWith('-'));

function test(shell: Shell, args: readonly string[]): boolean {
  const or = args.indexOf('-o');
  if (or > 0) return test(shell, args.slice(0, or)) || test(shell, args.slice(or + 1));
  const and = args.indexOf('-a');
  if (and > 0) return test(shell, args.slice(0, and)) && test(shell, args.slice(and + 1));
  if (args[0] === '!') return !test(shell, args.slice(1));
  const [a = '', op, b = ''] = args;
  if (args.length <= 1) return a !== '';
  if (args.length === 2) {
    if (a === '-z') return op === '';
    if (a === '-n') return op !== '';
    if (a === '-d') return [...shell.files.keys()].some((f) => f.startsWith(`${op}/`));
    if (a === '-s') return Boolean(shell.files.get(op!));
    return shell.files.has(op!);
  }
  switch (op) {
    case '=':
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '-eq':
      return Number(a) === Number(b);
    case '-ne':
      return Number(a) !== Number(b);
    case '-lt':
      return Number(a) < Number(b);
    case '-le':
      return Number(a) <= Number(b);
    case '-gt':
      return Number(a) > Number(b);
    case '-ge':
      return Number(a) >= Number(b);
    default:
      return false;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"' };
const unescape = (text: string): string => text.replace(/\\([ntr\\"])/g, (_, c: string) => ESCAPES[c]!);

function format(pattern: string, args: readonly string[]): string {
  let i = 0;
  return unescape(pattern).replace(/%(-?0?\d*)(s|d|i|%)/g, (_, width: string, kind: string) => {
    if (kind === '%') return '%';
    const value = args[i++] ?? (kind === 's' ? '' : '0');
    const n = Math.abs(Number(width)) || 0;
    return width.startsWith('-')
      ? value.padEnd(n)
      : value.padStart(n, width.startsWith('0') && kind !== 's' ? '0' : ' ');
  });
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (n: number): string => String(n).padStart(2, '0');

/** date(1) in UTC: the default form, or a +format. */
export function date(at: number, pattern?: string): string {
  const d = new Date(at);
  const time = `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`;
  if (pattern === undefined)
    return `${DAYS[d.getUTCDay()]} ${MONTHS[d.getUTCMonth()]} ${String(d.getUTCDate()).padStart(2)} ${time} UTC ${d.getUTCFullYear()}`;
  const day = `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`;
  const parts: Readonly<Record<string, string>> = {
    Y: String(d.getUTCFullYear()),
    m: two(d.getUTCMonth() + 1),
    d: two(d.getUTCDate()),
    H: two(d.getUTCHours()),
    M: two(d.getUTCMinutes()),
    S: two(d.getUTCSeconds()),
    s: String(Math.floor(at / SECOND)),
    F: day,
    T: time,
    N: `${String(at % SECOND).padStart(3, '0')}000000`,
    Z: 'UTC',
    z: '+0000',
    a: DAYS[d.getUTCDay()]!,
    b: MONTHS[d.getUTCMonth()]!,
    '%': '%',
  };
  return pattern.replace(/%(.)/g, (all, c: string) => parts[c] ?? all);
}

function hostOf(text: string | undefined): string {
  return (text ?? '')
    .replace(/^\w+:\/\//, '')
    .split('/')[0]!
    .replace(/:\d+$/, '');
}

/** 80 and 443 by the scheme when the address names no port. */
const portOf = (text: string | undefined): number =>
  Number(/^(?:\w+:\/\/)?[^/:]+:(\d+)/.exec(text ?? '')?.[1] ?? (text?.startsWith('https:') ? 443 : 80));

interface Failure {
  readonly text: string;
  readonly code: number;
}

/**
 * Asks another host: its name must resolve, and somebody must listen at the port when there is one. Says what failed.
 */
function* reach(shell: Shell, host: string, unknown: Failure, port?: number, refused: Failure = unknown): Running {
  const at = shell.world.startedAt + shell.now;
  const failure = !host
    ? undefined
    : !shell.world.resolves(host, at)
      ? unknown
      : port !== undefined && !shell.world.connects(host, port, at)
        ? refused
        : undefined;
  if (!failure) {
    shell.missing.delete(host);
    return 0;
  }
  if (shell.missing.size < MAX_MISSING) shell.missing.add(host);
  shell.write(failure.text);
  yield* shell.sleep(SECOND / 10);
  return failure.code;
}

/** The URL's answer as somebody who is simulated gives it. */
function answerOf(shell: Shell, url: string, method: string, body = ''): PodHttpAnswer | undefined {
  const path = /^(?:\w+:\/\/)?[^/?]+(.*)$/.exec(url)?.[1] ?? '';
  const host = hostOf(url);
  const request = {
    scheme: url.startsWith('https:') ? ('https' as const) : ('http' as const),
    port: portOf(url),
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: { host, 'user-agent': 'curl/8.5.0', accept: '*/*' },
    body,
  };
  return shell.world.fetch?.(host, request);
}

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** As curl prints it: -i and -I with the headers, -o into a file, -w behind it, -f as a failure. */
function writeAnswer(
  shell: Shell,
  args: readonly string[],
  { status, headers = {}, body = '' }: PodHttpAnswer,
  head: boolean,
): number {
  if (status >= 400 && args.some((a) => /^-\w*f/.test(a) || a === '--fail')) {
    shell.write(`curl: (22) The requested URL returned error: ${status}\n`);
    return 22;
  }
  const lines = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? ''}`.trimEnd(),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
  ];
  if (head || args.some((a) => /^-\w*i/.test(a))) shell.write(`${lines.join('\r\n')}\r\n\r\n`);
  const to = optionOf(args, '-o', '--output');
  if (!head && to === undefined) shell.write(body);
  else if (!head && to !== '/dev/null') shell.setFile(to!, body);
  const format = optionOf(args, '-w', '--write-out');
  if (format !== undefined)
    shell.write(
      unescape(format).replaceAll('%{http_code}', String(status)).replaceAll('%{response_code}', String(status)),
    );
  return 0;
}

const optionOf = (args: readonly string[], ...names: string[]): string | undefined =>
  args[args.findIndex((a) => names.includes(a)) + 1 || args.length];

/** What wget -S tells of an answer. */
const ANSWER = '  HTTP/1.1 200 OK\n  Connection: close\n';

/**
 * awk's simplest programs: fields of the lines that hold a text, '/^  HTTP/{print $2}'. The pattern is a text between
 * anchors.
 */
function* awk(shell: Shell, args: readonly string[]): Running {
  const separator = args[0]?.startsWith('-F') ? args[0].slice(2) || args[1] : undefined;
  const program = operands(args).find((a) => a.includes('{')) ?? '';
  const [, start, wanted, end, field] =
    /^\s*(?:\/(\^?)([^/]*?)(\$?)\/)?\s*\{\s*print\s*(?:\$(\d+|NF))?\s*;?\s*\}\s*$/.exec(program) ?? [];
  for (const line of lines(shell.stdin)) {
    if (wanted && !(start ? line.startsWith(wanted) : end ? line.endsWith(wanted) : line.includes(wanted))) continue;
    const fields = separator === undefined ? line.trim().split(/\s+/) : line.split(separator);
    shell.write(
      `${field === undefined || field === '0' ? line : ((field === 'NF' ? fields.at(-1) : fields[Number(field) - 1]) ?? '')}\n`,
    );
  }
  return 0;
}

/** The commands that manifests and tutorials use in containers. */
const ROOT = [
  'bin',
  'dev',
  'etc',
  'home',
  'lib',
  'media',
  'mnt',
  'opt',
  'proc',
  'root',
  'run',
  'sbin',
  'srv',
  'sys',
  'tmp',
  'usr',
  'var',
];

export const commands: Readonly<Record<string, Command>> = {
  echo: function* (shell, args) {
    const plain = args[0] === '-n' || args[0] === '-e' || args[0] === '-ne' || args[0] === '-en';
    const text = (plain ? args.slice(1) : args).join(' ');
    shell.write(
      (plain && args[0]!.includes('e') ? unescape(text) : text) + (plain && args[0]!.includes('n') ? '' : '\n'),
    );
    return 0;
  },
  printf: function* (shell, [pattern = '', ...args]) {
    shell.write(format(pattern, args));
    return 0;
  },
  sleep: function* (shell, args) {
    for (const a of args) yield* shell.sleep(sleepTime(a));
    return 0;
  },
  true: () => done(),
  ':': () => done(),
  false: () => done(1),
  exit: function* (shell, [code]) {
    throw new Exit(code === undefined ? shell.status : Number(code) & 255);
  },
  break: function* () {
    throw new LoopControl('break');
  },
  continue: function* () {
    throw new LoopControl('continue');
  },
  test: function* (shell, args) {
    return test(shell, args) ? 0 : 1;
  },
  '[': function* (shell, args) {
    return test(shell, args.slice(0, -1)) ? 0 : 1;
  },
  '[[': function* (shell, args) {
    return test(shell, args.slice(0, -1)) ? 0 : 1;
  },
  set: function* (shell, [flags = '']) {
    if (/^-\w*e/.test(flags)) shell.variables.set('-e', '1');
    return 0;
  },
  export: function* (shell, args) {
    for (const a of args)
      if (a.includes('=')) shell.variables.set(a.slice(0, a.indexOf('=')), a.slice(a.indexOf('=') + 1));
    return 0;
  },
  trap: () => done(),
  cd: () => done(),
  umask: () => done(),
  mkdir: () => done(),
  chmod: () => done(),
  chown: () => done(),
  wait: () => done(),
  sync: () => done(),
  let: function* (shell, [text = '']) {
    const match = /^(\w+)\s*(\+?-?=|\+\+|--)\s*(.*)$/.exec(text);
    if (match) {
      const old = Number(shell.variables.get(match[1]!) ?? 0);
      const value =
        match[2] === '++'
          ? old + 1
          : match[2] === '--'
            ? old - 1
            : (match[2] === '+=' ? old : 0) + arithmetic(shell, match[3]!);
      shell.variables.set(match[1]!, String(value));
    }
    return 0;
  },
  exec: function* (shell, args) {
    if (args.length === 0) return 0;
    throw new Exit(yield* shell.call(args));
  },
  eval: function* (shell, args) {
    return yield* shell.script(args.join(' '));
  },
  sh: (shell, args) => nested(shell, args),
  bash: (shell, args) => nested(shell, args),
  ash: (shell, args) => nested(shell, args),
  dash: (shell, args) => nested(shell, args),
  timeout: function* (shell, args) {
    return yield* shell.call(operands(args).slice(1));
  },
  date: function* (shell, args) {
    const pattern = args.find((a) => a.startsWith('+'))?.slice(1);
    const utc = args.includes('-Iseconds') ? '%Y-%m-%dT%H:%M:%S+00:00' : pattern;
    shell.write(`${date(shell.world.startedAt + shell.now, utc)}\n`);
    return 0;
  },
  hostname: function* (shell) {
    shell.write(`${shell.world.hostname}\n`);
    return 0;
  },
  whoami: function* (shell) {
    shell.write('root\n');
    return 0;
  },
  id: function* (shell) {
    shell.write('uid=0(root) gid=0(root) groups=0(root)\n');
    return 0;
  },
  pwd: function* (shell) {
    shell.write('/\n');
    return 0;
  },
  uname: function* (shell, args) {
    shell.write(
      args.includes('-a') ? `Linux ${shell.world.hostname} 6.12.57+deb13-amd64 #1 SMP x86_64 GNU/Linux\n` : 'Linux\n',
    );
    return 0;
  },
  env: (shell) => printEnv(shell, []),
  printenv: (shell, args) => printEnv(shell, args),
  seq: function* (shell, args) {
    const [from, to] = args.length > 1 ? [Number(args[0]), Number(args.at(-1))] : [1, Number(args[0])];
    for (let i = from; i <= to && i - from < 10_000; i++) shell.write(`${i}\n`);
    return 0;
  },
  expr: function* (shell, args) {
    const value = arithmetic(shell, args.join(' '));
    shell.write(`${value}\n`);
    return value === 0 ? 1 : 0;
  },
  cat: function* (shell, args) {
    const { text, code } = input(shell, 'cat', operands(args));
    shell.write(text);
    return code;
  },
  touch: function* (shell, args) {
    for (const file of operands(args)) shell.setFile(file, shell.files.get(file) ?? '');
    return 0;
  },
  rm: function* (shell, args) {
    for (const file of operands(args))
      for (const known of [...shell.files.keys()])
        if (known === file || known.startsWith(`${file}/`)) shell.setFile(known, undefined);
    return 0;
  },
  cp: (shell, args) => copy(shell, operands(args), false),
  mv: (shell, args) => copy(shell, operands(args), true),
  ls: function* (shell, args) {
    const [at = '/'] = operands(args);
    if (shell.files.has(at)) shell.write(`${at}\n`);
    const below = `${at.replace(/\/$/, '')}/`;
    const names = new Set(below === '/' ? ROOT : []);
    for (const file of shell.files.keys())
      if (file.startsWith(below)) names.add(file.slice(below.length).split('/', 1)[0]!);
    for (const name of [...names].sort()) shell.write(`${name}\n`);
    return 0;
  },
  tee: function* (shell, args) {
    const text = shell.stdin;
    for (const file of operands(args))
      shell.setFile(file, args.includes('-a') ? (shell.files.get(file) ?? '') + text : text);
    shell.write(text);
    return 0;
  },
  head: function* (shell, args) {
    const n = Number(args[args.indexOf('-n') + 1] ?? /^-(\d+)$/.exec(args[0] ?? '')?.[1] ?? 10) || 10;
    for (const line of lines(shell.stdin).slice(0, n)) shell.write(`${line}\n`);
    return 0;
  },
  tail: function* (shell, args) {
    const follow = args.some((a) => /^-\w*[fF]/.test(a));
    const { text, code } = input(
      shell,
      'tail',
      operands(args).filter((a) => !/^\d+$/.test(a)),
    );
    for (const line of lines(text).slice(-10)) shell.write(`${line}\n`);
    if (follow) yield* shell.sleep(FOREVER);
    return code;
  },
  wc: function* (shell, args) {
    shell.write(`${args.includes('-c') ? shell.stdin.length : lines(shell.stdin).length}\n`);
    return 0;
  },
  grep: function* (shell, args) {
    const [pattern = '', ...files] = operands(args);
    const { text } = input(shell, 'grep', files);
    const found = lines(text).filter((l) => l.includes(pattern) !== args.includes('-v'));
    if (!args.some((a) => /^-\w*q/.test(a))) for (const line of found) shell.write(`${line}\n`);
    return found.length > 0 ? 0 : 1;
  },
  rev: function* (shell, args) {
    const { text, code } = input(shell, 'rev', operands(args));
    for (const line of lines(text)) shell.write(`${[...line].reverse().join('')}\n`);
    return code;
  },
  basename: function* (shell, [path = '', suffix = '']) {
    const base = path.split('/').filter(Boolean).at(-1) ?? '/';
    shell.write(`${suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base}\n`);
    return 0;
  },
  awk,
  nslookup: (shell, args) => {
    const host = hostOf(operands(args)[0]);
    return reach(shell, host, {
      text: `Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n** server can't find ${host}: NXDOMAIN\n\n`,
      code: 1,
    });
  },
  getent: (shell, args) => reach(shell, hostOf(args[1]), { text: '', code: 2 }),
  ping: (shell, args) => {
    const host = hostOf(operands(args).at(-1));
    return reach(shell, host, { text: `ping: bad address '${host}'\n`, code: 1 });
  },
  wget: function* (shell, args) {
    const url = operands(args).find((a) => /[.:/]/.test(a) && !a.startsWith('/')) ?? operands(args).at(-1);
    const host = hostOf(url);
    const code = yield* reach(shell, host, { text: `wget: bad address '${host}'\n`, code: 1 }, portOf(url), {
      text: `wget: can't connect to remote host: Connection refused\n`,
      code: 1,
    });
    if (code !== 0 || !url) return code;
    if (args.some((a) => a === '-S' || a === '--server-response')) shell.write(ANSWER);
    const answer = answerOf(shell, url, args.includes('--spider') ? 'HEAD' : 'GET');
    if (answer && answer.status >= 400) {
      shell.write(`wget: server returned error: HTTP/1.1 ${answer.status} ${REASONS[answer.status] ?? ''}\n`);
      return 1;
    }
    const to =
      args.find((a) => /^-\w*O.+/.test(a))?.replace(/^-\w*O/, '') ??
      args[args.findIndex((a) => /^-\w*O$/.test(a)) + 1 || args.length];
    if (answer && to === '-') shell.write(answer.body ?? '');
    else if (answer && to) shell.setFile(to, answer.body ?? '');
    return 0;
  },
  curl: function* (shell, args) {
    const url = operands(args).find((a) => /^https?:|[.:]/.test(a)) ?? operands(args).at(-1);
    const [host, port] = [hostOf(url), portOf(url)];
    const quiet = args.some((a) => /^-\w*s/.test(a)) && !args.some((a) => /^-\w*S/.test(a));
    const told = (text: string): string => (quiet ? '' : text);
    const code = yield* reach(
      shell,
      host,
      { text: told(`curl: (6) Could not resolve host: ${host}\n`), code: 6 },
      port,
      {
        text: told(`curl: (7) Failed to connect to ${host} port ${port} after 0 ms: Could not connect to server\n`),
        code: 7,
      },
    );
    if (code !== 0 || !url) return code;
    const body = optionOf(args, '-d', '--data', '--data-raw') ?? '';
    const head = args.some((a) => /^-\w*I/.test(a)) || args.includes('--head');
    const answer = answerOf(
      shell,
      url,
      optionOf(args, '-X', '--request') ?? (head ? 'HEAD' : body ? 'POST' : 'GET'),
      body,
    );
    return answer ? writeAnswer(shell, args, answer, head) : 0;
  },
  nc: (shell, args) => {
    if (args.some((a) => /^-\w*l/.test(a))) return shell.sleep(FOREVER);
    const [host, port] = [
      hostOf(operands(args).find((a) => !/^\d+$/.test(a))),
      operands(args)
        .filter((a) => /^\d+$/.test(a))
        .at(-1),
    ];
    return reach(
      shell,
      host,
      { text: `nc: bad address '${host}'\n`, code: 1 },
      port === undefined ? undefined : Number(port),
      { text: `nc: ${host}: Connection refused\n`, code: 1 },
    );
  },
};

function* nested(shell: Shell, args: readonly string[]): Running {
  const at = args.findIndex((a) => /^-\w*c$/.test(a));
  const file = operands(args)[0];
  const script = at >= 0 ? (args[at + 1] ?? '') : file === undefined ? shell.stdin : shell.files.get(file);
  if (script === undefined) return 0;
  if (at < 0 && file === undefined) shell.stdin = '';
  if (args.slice(0, at + 1).some((a) => /^-\w*e/.test(a))) shell.variables.set('-e', '1');
  try {
    return yield* shell.script(script);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    shell.left = true;
    return error.code;
  }
}

function* printEnv(shell: Shell, names: readonly string[]): Running {
  if (names.length > 0) {
    const value = shell.variables.get(names[0]!);
    if (value !== undefined) shell.write(`${value}\n`);
    return value === undefined ? 1 : 0;
  }
  shell.write(`PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nHOSTNAME=${shell.world.hostname}\n`);
  for (const [name, value] of shell.variables) if (/^\w+$/.test(name)) shell.write(`${name}=${value}\n`);
  return 0;
}

function* copy(shell: Shell, [from = '', to = '']: readonly string[], move: boolean): Running {
  const text = shell.files.get(from);
  if (text === undefined) return 0;
  shell.setFile(to.endsWith('/') ? to + from.split('/').at(-1)! : to, text);
  if (move) shell.setFile(from, undefined);
  return 0;
}
