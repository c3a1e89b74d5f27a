import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../framework/filter.js';
import type { Fetch } from '../../network/fetch.js';
import { AGENT } from '../version.js';
import type { ClientConfig } from './config.js';
import { KubectlFailure } from './failure.js';
import { closeForward, type Forward, newForward, proceedForward } from './forward.js';
import { newProxied, proceedProxied, type Proxied } from './proxied.js';
import { readAnswer } from './session.js';
import type { ListenRequest } from './task.js';
import { receive, send } from './transport.js';
import { joinWaits } from './waits.js';

const MAX_LINKS = 64;

/** Ports that kubectl serves, and the connections to them. */
export type Listening = {
  request: ListenRequest;
  /** The permission to open ports of the pod. */
  ticket: string;
  fetch: Fetch | null;
  listeners: { descriptor: number; local: number; remote: number }[];
  isOpen: boolean;
  forwards: Forward[];
  proxied: Proxied[];
};

export function beginListening(_tool: FilterContext, request: ListenRequest): Listening {
  return { request, ticket: '', fetch: null, listeners: [], isOpen: false, forwards: [], proxied: [] };
}

/** Serves until a signal ends the process. Throws KubectlFailure. */
export function serveListening(tool: FilterContext, listening: Listening, config: ClientConfig): Wait {
  const { sys } = tool;
  const { path } = listening.request;
  if (path !== '' && listening.ticket === '') {
    listening.fetch ??= send(sys, config, AGENT, {
      ...{ method: 'POST', path, accept: 'application/json', contentType: '', body: '', isUpgrade: true },
    });
    const outcome = receive(sys, listening.fetch, config);
    if ('wait' in outcome) return outcome.wait;
    listening.fetch = null;
    listening.ticket = String((readAnswer(outcome.answer) as { ticket?: string }).ticket ?? '');
    if (listening.ticket === '') throw new KubectlFailure('error upgrading connection: unable to upgrade connection');
  }
  if (!listening.isOpen) openPorts(tool, listening);
  for (const { descriptor, local, remote } of listening.listeners)
    while (listening.forwards.length + listening.proxied.length < MAX_LINKS) {
      const accepted = sys.accept(descriptor);
      if (!accepted) break;
      if (path === '') listening.proxied.push(newProxied(accepted.descriptor));
      else {
        tool.out(`Handling connection for ${local}\n`);
        listening.forwards.push(newForward(accepted.descriptor, local, remote));
      }
    }
  const waits: Wait[] = [];
  const goOn = <T extends { client: number }>(links: T[], proceed: (link: T) => Wait | undefined): T[] =>
    links.filter((link) => {
      const wait = proceed(link);
      if (wait) waits.push(wait);
      return wait !== undefined;
    });
  const { request, ticket } = listening;
  listening.forwards = goOn(listening.forwards, (link) => {
    try {
      return proceedForward(tool, link, { ticket, ip: request.ip, config });
    } catch (error) {
      closeForward(tool, link);
      throw error;
    }
  });
  listening.proxied = goOn(listening.proxied, (link) => proceedProxied(tool, link, request.prefix, config));
  return joinWaits(
    waits,
    listening.listeners.map(({ descriptor }) => descriptor),
  );
}

/** Models client-go's tools/portforward getListener, and kubectl proxy's. */
function openPorts(tool: FilterContext, listening: Listening): void {
  const { ports, path } = listening.request;
  listening.isOpen = true;
  const pairs = [...new Set(ports.map(({ local, remote }) => `{${local} ${remote}}`))];
  for (const pair of pairs) {
    const own = ports.filter(({ local, remote }) => `{${local} ${remote}}` === pair);
    const faults = own.flatMap((port) => openPort(tool, listening, port) ?? []);
    if (faults.length < own.length) continue;
    if (path === '') throw new KubectlFailure(faults.join(' '));
    const all = faults.map((fault) => `unable to create listener: Error ${fault}`).join(' ');
    tool.err(
      `Unable to listen on port ${own[0]!.local}: Listeners failed to create with the following errors: [${all}]\n`,
    );
  }
  if (listening.listeners.length === 0)
    throw new KubectlFailure(`unable to listen on any of the requested ports: [${pairs.join(' ')}]`);
}

/** Why it cannot be listened to. */
function openPort(tool: FilterContext, listening: Listening, port: ListenRequest['ports'][number]): string | undefined {
  const { address, local, remote } = port;
  const isSixth = address.includes(':');
  const shown = isSixth ? `[${address}]` : address;
  const isProxy = listening.request.path === '';
  try {
    const descriptor = tool.sys.listen(local, { address });
    const own = local === 0 ? tool.sys.socketName(descriptor).port : local;
    listening.listeners.push({ descriptor, local: own, remote });
    tool.out(isProxy ? `Starting to serve on ${shown}:${own}\n` : `Forwarding from ${shown}:${own} -> ${remote}\n`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const protocol = isProxy ? 'tcp' : isSixth ? 'tcp6' : 'tcp4';
    return `listen ${protocol} ${shown}:${local}: bind: ${error.message.toLowerCase()}`;
  }
}
