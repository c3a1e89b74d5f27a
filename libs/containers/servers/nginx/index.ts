import { readCommand } from './process/command.js';
import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import type { ServerHello } from '../../../engine/node/cni/tls.js';
import { noChildren, withChildren } from '../children.js';
import { type AnswerParts, type HttpReply, type HttpRequest, httpDate, sizeOfBody, speakHttp } from '../http.js';
import { type Connection, defineServer } from '../serve.js';
import { accessLine } from './access-line.js';
import { errorPage, plainPage, planAnswer } from './answer.js';
import { find } from './configuration.js';
import { entrypoint } from './process/entrypoint.js';
import { load } from './process/load.js';
import { type Own, type Server, fail } from './process/own.js';
import { type Task, goOn, proxy, writeError } from './proxy.js';
import { reload, reopen, signalMaster } from './process/signals.js';
import { goOnStarting, makeTemporaryFolders } from './process/start.js';
import { startOf, versionOf } from './version.js';
import { nameMaster, reapWorkers } from './process/workers.js';

const STOP_MS = 50;

export const http = speakHttp<Own>({
  headers: ({ sys }) => ({ server: `nginx/${versionOf(sys)}`, date: httpDate(sys.now) }),
  answer,
  resume: (task, request, server) => goOn(server, request, task as Task),
  refuse: ({ sys }) => errorPage({ version: versionOf(sys) }, 400),
  tls: ({ own }, port) => own.hellos[port] as ServerHello | undefined,
  refusePlain: ({ sys }) => plainPage({ version: versionOf(sys) }),
  log: writeAccess,
});

/**
 * The web server: a master that does its workers' work, and idle workers. Left out: modules but those of HTTP, caches,
 * `if`.
 */

export const nginx = defineServer<Own>({
  signals: ['TERM', 'INT', 'QUIT', 'HUP', 'USR1', 'USR2', 'WINCH'],
  start: (argv, sys) => ({
    ...readCommand(argv),
    // The entrypoint has taken its time before it became this program.
    hasEntrypoint: startOf(sys) < sys.now,
    ...{
      configuration: [],
      hellos: {},
      written: 0,
      startedAt: startOf(sys),
      ports: [],
      isReady: false,
      tries: 0,
      endsAt: null,
      workers: noChildren(),
      oldWorkers: [],
    },
  }),
  begin(server) {
    const { own } = server;
    if (own.problem !== '') return fail(server, `nginx: ${own.problem}`);
    if (own.mode === 'version') {
      server.err(`nginx version: nginx/${versionOf(server.sys)}\n`);
      return server.exit(0);
    }
    if (own.mode === 'signal') return signalMaster(server);
    if (!load(server)) return;
    if (own.mode === 'test') {
      server.err(`nginx: the configuration file ${own.file} syntax is ok\n`);
      server.err(`nginx: configuration file ${own.file} test is successful\n`);
      return server.exit(0);
    }
    if (!makeTemporaryFolders(server)) return;
    nameMaster(server.sys);
    goOnStarting(server);
  },
  tick(server) {
    if (server.own.endsAt !== null && server.sys.now >= server.own.endsAt) server.exit(0);
    else if (!server.own.isReady) goOnStarting(server);
  },
  signal(server, signal) {
    if (signal === 'HUP') return reload(server);
    if (signal === 'USR1') return reopen(server);
    // No other binary takes over, and what is no daemon keeps its workers.
    if (signal === 'USR2' || signal === 'WINCH') return;
    server.own.endsAt ??= server.sys.now + STOP_MS;
    server.tickAt(server.own.endsAt);
  },
  child: reapWorkers,
  hasChild: ({ workers, oldWorkers }) => workers.pids.length + oldWorkers.length > 0,
  receive: http.receive,
  resume: http.resume,
});

export function answer(request: HttpRequest, server: Server, connection: Connection): HttpReply {
  const { sys, own } = server;
  const plan = planAnswer({ sys, configuration: own.configuration, request, connection, version: versionOf(sys) });
  if ('answer' in plan) {
    if (plan.problem !== undefined) writeError(server, request, connection, plan.problem);
    return plan.answer;
  }
  return proxy(server, request, connection, plan.proxy, plan.uri);
}

/** The format `main` of the image's configuration. */
function writeAccess(request: HttpRequest, answer: AnswerParts, server: Server, { address }: Connection): void {
  const level = find(find(server.own.configuration, 'http')?.block ?? null, 'access_log')?.args[0];
  if (level === 'off') return;
  const { method, path, headers } = request;
  const asked = { method, path: textOf(path), headers };
  const line = accessLine({ address, request: asked, answer, size: sizeOfBody(answer), now: server.sys.now });
  server.out(`${bytesOf(line)}\n`);
}

export const programs: Readonly<Record<string, Program>> = {
  'nginx:nginx': withChildren(nginx),
  'nginx:entrypoint': entrypoint as unknown as Program,
};
