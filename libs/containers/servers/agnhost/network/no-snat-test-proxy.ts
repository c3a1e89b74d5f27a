import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial, type DialOutcome } from '../../dial.js';
import { errnoText, quote } from '../../go.js';
import { httpDate, httpError, plainText, speakHttp, type HttpReply } from '../../http.js';
import { goLookupError, lookUp } from '../../lookup.js';
import { defineServer, type Running } from '../../serve.js';
import { readFlags, type Command } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';
import { beginListening, listenOrFail, newServer, type Own } from '../command/listening.js';

const FLAGS: FlagTable = { port: ['string', '31235'] };
const TIMEOUT_MS = 30_000;
const HTTP_PORT = 80;

type Task = { url: string; startsAt: number; address: string; port: number; dial: Dial | null };

/** Passes /checknosnat on to a target. Models test/images/agnhost/no-snat-test-proxy. */
export const noSnatTestProxy: Command = {
  flags: FLAGS,
  program: defineServer<Own>({
    start: newServer,
    begin: beginListening,
    tick: (server) => listenOrFail(server, readFlags(FLAGS, server.own.argv).number('port')),
    ...speakHttp<Own>({
      headers: ({ sys }) => ({ date: httpDate(sys.now) }),
      answer({ route, query }, server) {
        if (route !== '/checknosnat') return httpError('404 page not found', 404);
        return pass(server, query.get('target') ?? '', query.get('ips') ?? '');
      },
      resume: (task, _request, server) => goOn(server, task as Task),
    }),
  }),
};

function pass(server: Running<Own>, target: string, ips: string): HttpReply {
  const url = `http://${target}/checknosnat?ips=${ips}`;
  const [, host = '', port] = /^\[?(.*?)\]?(?::(\d{1,5}))?$/.exec(target) ?? [];
  const found = lookUp(server.sys, bytesOf(host));
  const [address] = found.addresses;
  if (address === undefined) return fail(url, `dial tcp: ${goLookupError(host, found)}`);
  const startsAt = server.sys.now + found.delay;
  return goOn(server, { url, startsAt, address, port: Number(port ?? HTTP_PORT), dial: null });
}

const fail = (url: string, reason: string): HttpReply =>
  plainText(`error querying ${quote(url)}, err: Get ${quote(url)}: ${reason}`, 500);

function goOn({ sys }: Running<Own>, task: Task): HttpReply {
  if (sys.now < task.startsAt) return { task, wait: { until: task.startsAt } };
  const { address, port, url } = task;
  const path = url.slice(url.indexOf('/', 'http://'.length));
  const head = `GET ${bytesOf(path)} HTTP/1.1\r\nHost: ${address}:${port}\r\nConnection: close\r\n\r\n`;
  task.dial ??= dial(sys, address, port, 'tcp', head, TIMEOUT_MS);
  const outcome = continueDial(sys, task.dial, isWholeAnswer);
  if ('wait' in outcome) return { task, wait: outcome.wait };
  const answer = 'error' in outcome ? undefined : readAnswer(outcome.received);
  return answer ? plainText(textOf(answer.body), answer.status) : fail(url, explain(task.dial, outcome));
}

function explain({ address, port }: Dial, outcome: DialOutcome): string {
  if (!('error' in outcome)) return 'EOF';
  if (outcome.error === 'TIMEOUT') return `dial tcp ${address}:${port}: i/o timeout`;
  return `dial tcp ${address}:${port}: connect: ${errnoText(new SystemError(outcome.error))}`;
}
