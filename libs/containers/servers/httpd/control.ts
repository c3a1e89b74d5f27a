import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import { readSmallFile } from '../../tools/accounts.js';
import type { Running } from '../serve.js';
import { findAll, findLast, type Configuration } from './configuration.js';
import { LATEST } from './lines.js';

/** What a command line asks for: to serve, or to do one thing and end. */
export type Command = {
  argv: Bytes[];
  file: Bytes;
  mode: 'serve' | 'daemon' | 'version' | 'test' | 'modules' | 'hosts' | 'signal';
  signal: string;
  defines: string[];
  /** What is wrong with the command line. */
  problem: Bytes;
};

const SIGNALS = { stop: 'TERM', restart: 'HUP', graceful: 'USR1', 'graceful-stop': 'WINCH' } as const;
const USAGE =
  'Usage: httpd [-D name] [-d directory] [-f file]\n             [-k start|restart|graceful|graceful-stop|stop]\n             [-v] [-V] [-h] [-l] [-L] [-t] [-T] [-S] [-X]';

export function readCommand(argv: readonly Bytes[]): Command {
  const isControl = (argv[0] ?? '').endsWith('apachectl');
  const words = isControl ? apachectl(argv.slice(1)) : argv.slice(1);
  const command: Command = {
    ...{ argv: ['httpd', ...words], file: 'conf/httpd.conf', mode: 'daemon', signal: '', defines: [], problem: '' },
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const value = (): Bytes => (word.length > 2 ? word.slice(2) : (words[++at] ?? ''));
    if (word === '-v' || word === '-V') command.mode = 'version';
    else if (word === '-t') command.mode = 'test';
    else if (word === '-M') command.mode = 'modules';
    else if (word === '-S') command.mode = 'hosts';
    else if (word === '-X') command.mode = 'serve';
    else if (word.startsWith('-f')) command.file = value();
    else if (word.startsWith('-k')) applySignal(command, value());
    else if (word.startsWith('-D')) define(command, value());
    else if (/^-[dCcEe]/.test(word)) value();
    else if (word !== '-T') command.problem = `httpd: illegal option -- ${word.replace(/^-/, '')}\n${USAGE}`;
  }
  return command;
}

function define(command: Command, name: string): void {
  command.defines.push(name);
  if (name === 'FOREGROUND' && command.mode === 'daemon') command.mode = 'serve';
  if (name === 'DUMP_MODULES') command.mode = 'modules';
  if (name === 'DUMP_VHOSTS') command.mode = 'hosts';
}

function applySignal(command: Command, name: string): void {
  if (name === 'start') return;
  command.mode = 'signal';
  command.signal = name;
  if (!Object.hasOwn(SIGNALS, name)) command.problem = `httpd: illegal argument to -k: ${name}\n${USAGE}`;
}

/** `apachectl graceful` is `httpd -k graceful`. */
function apachectl(args: readonly Bytes[]): readonly Bytes[] {
  const [action = ''] = args;
  if (action === 'configtest') return ['-t'];
  if (action === 'start' || Object.hasOwn(SIGNALS, action)) return ['-k', action];
  return args;
}

/** Does what is no serving, and ends; otherwise waits until it listens. */
export function control<Own extends Command & Plain>(
  server: Running<Own>,
  configuration: Configuration,
  readyMs: number,
): void {
  const { own, sys } = server;
  const version = sys.env['HTTPD_VERSION'] ?? LATEST;
  if (own.mode === 'serve') return server.tickAt(sys.now + readyMs);
  if (own.mode === 'version')
    server.out(`Server version: Apache/${version} (Unix)\nServer built:   Jan 12 2026 00:00:00\n`);
  if (own.mode === 'test') server.err('Syntax OK\n');
  if (own.mode === 'modules') server.out(listModules(configuration));
  if (own.mode === 'hosts') server.out(listHosts(configuration));
  if (own.mode === 'signal') return signalServer(server, configuration);
  if (own.mode === 'daemon') startDaemon(server, configuration);
  server.exit(0);
}

const STATIC = ['core', 'so', 'http'];

function listModules({ modules }: Configuration): Bytes {
  const lines = [
    ...STATIC.map((name) => ` ${name}_module (static)`),
    ...modules.map((name) => ` ${name}_module (shared)`),
  ];
  return `Loaded Modules:\n${lines.join('\n')}\n`;
}

function listHosts({ directives, root }: Configuration): Bytes {
  const hosts = findAll(directives, 'virtualhost').map(
    ({ args, block, file, line }) =>
      `${(args[0] ?? '').padEnd(22)} ${findLast(block, 'servername')?.args[0] ?? ''} (${file}:${line})`,
  );
  const documents = findLast(directives, 'documentroot')?.args[0] ?? '';
  return `VirtualHost configuration:\n${hosts.map((host) => `${host}\n`).join('')}ServerRoot: "${root}"\nMain DocumentRoot: "${documents}"\n`;
}

const pidPath = ({ directives, root }: Configuration): Bytes => {
  const path = findLast(directives, 'pidfile')?.args[0] ?? 'logs/httpd.pid';
  return path.startsWith('/') ? path : `${root}/${path}`;
};

/** 0: no server runs. */
function runningPid<Own extends Plain>({ sys }: Running<Own>, configuration: Configuration): number {
  try {
    const pid = Number(readSmallFile(sys, pidPath(configuration)).trim());
    if (!(pid > 0)) return 0;
    sys.kill(pid, 0);
    return pid;
  } catch (error) {
    if (error instanceof SystemError) return 0;
    throw error;
  }
}

function signalServer<Own extends Command & Plain>(server: Running<Own>, configuration: Configuration): void {
  const { own, sys } = server;
  const pid = runningPid(server, configuration);
  const isStop = own.signal === 'stop' || own.signal === 'graceful-stop';
  if (pid === 0) {
    server.err(`httpd (no pid file) not running\n`);
    if (!isStop) {
      server.err('httpd not running, trying to start\n');
      startDaemon(server, configuration);
    }
    return server.exit(isStop ? 1 : 0);
  }
  try {
    sys.kill(pid, SIGNALS[own.signal as keyof typeof SIGNALS]);
    server.exit(0);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    server.err(`httpd: kill(${pid}): ${error.message}\n`);
    server.exit(1);
  }
}

/** The server in the background, whose parent ends. */
function startDaemon<Own extends Command & Plain>(server: Running<Own>, configuration: Configuration): void {
  const { sys, own } = server;
  const pid = runningPid(server, configuration);
  if (pid > 0) return server.err(`httpd (pid ${pid}) already running\n`);
  const rest = own.argv.slice(1).filter((word, at) => word !== '-k' && own.argv[at] !== '-k');
  sys.spawn({ path: '/usr/local/apache2/bin/httpd', argv: ['httpd', ...rest, '-D', 'FOREGROUND'] });
}
