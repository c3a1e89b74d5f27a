import type { NameAnswer } from '../../../../engine/kernel/process/syscalls.js';
import type { NameQuestion } from '../../../../engine/node/dns/question.js';
import { parseAddress } from '../../../../engine/machinery/net/netip.js';
import type { Directive } from '../corefile.js';
import { argumentFault, fault, isInZone } from './words.js';

export interface Forward {
  readonly zone: string;
  readonly except: readonly string[];
  /** Addresses, or paths of files as resolv.conf. */
  readonly to: readonly string[];
}

const MAX_UPSTREAMS = 15;
/** Properties that change nothing here, and how many words they have. */
const PROPERTIES: Readonly<Record<string, number>> = {
  ...{ max_fails: 1, health_check: 9, force_tcp: 0, prefer_udp: 0, expire: 1, policy: 1, max_concurrent: 1, tls: 9 },
  ...{ tls_servername: 1, next: 9, failover: 9, failfast_all_unhealthy_upstreams: 0, max_age: 1, max_idle_conns: 1 },
};

export function readForward({ args, block, line }: Directive, file: string): Forward {
  const [zone, ...to] = args;
  if (zone === undefined || to.length === 0) throw argumentFault('forward', zone ?? 'forward', file, line);
  if (to.length > MAX_UPSTREAMS)
    throw fault('forward', `more than ${MAX_UPSTREAMS} TOs configured: ${to.length}`, file, line);
  const except: string[] = [];
  for (const { name, args: words, line: at } of block) {
    if (name === 'except') {
      if (words.length === 0) throw argumentFault('forward', name, file, at);
      except.push(...words.map(absolute));
    } else if (!Object.hasOwn(PROPERTIES, name)) throw fault('forward', `unknown property '${name}'`, file, at);
    else if (PROPERTIES[name] === 1 && words.length !== 1) throw argumentFault('forward', name, file, at);
  }
  for (const target of to) {
    if (target.startsWith('/')) continue;
    if (hostOf(target) === undefined) throw fault('forward', `not an IP address or file: "${target}"`, file, line);
  }
  return { zone: absolute(zone), except, to };
}

const absolute = (name: string): string => (name.endsWith('.') ? name : `${name}.`).toLowerCase();

/** 'dns://1.1.1.1:53' as '1.1.1.1'. */
function hostOf(target: string): string | undefined {
  const bare = target.replace(/^(?:dns|tls):\/\//, '');
  return /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/.exec(bare)?.[1] ?? sixOf(bare.replace(/[[\]]/g, ''));
}

const sixOf = (text: string): string | undefined => (parseAddress(text)?.kind() === 'ipv6' ? text : undefined);

export const upstreamsOf = ({ to }: Forward, nameservers: readonly string[]): string[] =>
  to.flatMap((target) => (target.startsWith('/') ? nameservers : [hostOf(target) ?? '']));

/** Whether it asks for a name; `name` has the dot at the end. */
export const forwards = ({ zone, except }: Forward, name: string): boolean =>
  isInZone(name, zone) && !except.some((other) => isInZone(name, other));

/** The first upstream that answers; SERVFAIL when none does. */
export function askUpstreams(forward: Forward, name: string, type: string, question: NameQuestion): NameAnswer {
  for (const server of upstreamsOf(forward, question.nameservers)) {
    const answer = question.ask(server, name, type);
    if (!answer.failure) return { ...answer, isAuthoritative: answer.isAuthoritative ?? true, canRecurse: true };
  }
  return { code: 'SERVFAIL', records: [], isAuthoritative: false, canRecurse: true, delay: 0 };
}
