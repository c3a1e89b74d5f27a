import type { NameAnswer } from '../../engine/kernel/process/syscalls.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../engine/machinery/time/time.js';
import { readSmallFile } from '../tools/accounts.js';

export interface ResolverSettings {
  readonly servers: readonly string[];
  readonly search: readonly string[];
  readonly dots: number;
  /** Until a question counts as lost. */
  readonly timeout: Millis;
  readonly attempts: number;
}

/** As many as glibc and musl read. */
const MAX_SERVERS = 3;
const MAX_SEARCH = 32;
const MAX_DOTS = 15;

/** /etc/resolv.conf. Models resolv.conf(5). */
export function readResolverSettings(sys: Syscalls): ResolverSettings {
  const servers: string[] = [];
  const options = new Map<string, number>();
  let search: readonly string[] = [];
  for (const line of readSmallFile(sys, '/etc/resolv.conf').split('\n')) {
    const [word, ...values] = line.split(/[#;]/, 1)[0]!.trim().split(/\s+/);
    if (word === 'nameserver' && values[0] !== undefined) servers.push(values[0]);
    if (word === 'search' || word === 'domain') search = values;
    if (word !== 'options') continue;
    for (const [name = '', value = ''] of values.map((text) => text.split(':', 2)))
      if (/^\d{1,4}$/.test(value)) options.set(name, Number(value));
  }
  return {
    servers: servers.length > 0 ? servers.slice(0, MAX_SERVERS) : ['127.0.0.1'],
    search: search.slice(0, MAX_SEARCH),
    dots: Math.min(MAX_DOTS, options.get('ndots') ?? 1),
    timeout: 1_000 * Math.min(30, options.get('timeout') ?? 5),
    attempts: Math.max(1, Math.min(5, options.get('attempts') ?? 2)),
  };
}

/** What came of a question, how long that took, and which server was asked last. */
export interface Asked {
  readonly answer: NameAnswer;
  readonly delay: Millis;
  readonly server: string;
}

/** Asks one name as glibc does: server after server, again until an answer is one; models res_send. */
export function askAsGlibc(sys: Syscalls, settings: ResolverSettings, name: string, type: string): Asked {
  const { servers, timeout, attempts } = settings;
  let delay = 0;
  let last: Asked | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    for (const server of servers) {
      const answer = sys.queryName(server, name, type);
      delay += answer.failure === 'lost' ? timeout : answer.delay;
      if (!answer.failure && isFinal(answer)) return { answer, delay, server };
      if (last === undefined || !answer.failure || last.answer.failure) last = { answer, delay, server };
    }
    // Only silence is worth another attempt.
    if (last?.answer.failure !== 'lost') break;
  }
  return { ...last!, delay };
}

/** Asks as musl does: all servers at once, the first answer that is one counts; models __res_msend. */
export function askAsMusl(sys: Syscalls, settings: ResolverSettings, name: string, type: string): Asked {
  const { servers, timeout } = settings;
  let last: Asked | undefined;
  for (const server of servers) {
    const answer = sys.queryName(server, name, type);
    if (!answer.failure && isFinal(answer)) return { answer, delay: answer.delay, server };
    // It does not hear that nobody listens: that is silence, too.
    last = { answer, delay: timeout, server };
  }
  return last!;
}

const isFinal = ({ code }: NameAnswer): boolean => code === 'NOERROR' || code === 'NXDOMAIN';

export const countDots = (name: string): number => name.split('.').length - 1;

/** The names that a search list makes of one, in glibc's order; models res_search. */
export function searchAsGlibc({ search, dots }: ResolverSettings, name: string): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const searched = search.map((domain) => `${name}.${domain.replace(/\.$/, '')}`);
  return countDots(name) >= dots ? [name, ...searched] : [...searched, name];
}

/** In musl's: a name with enough dots is not searched at all; models name_from_dns_search. */
export function searchAsMusl({ search, dots }: ResolverSettings, name: string): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  if (countDots(name) >= dots) return [name];
  return [...search.map((domain) => `${name}.${domain.replace(/\.$/, '')}`), name];
}

/** Alpine's programs are built on musl. */
export const isMusl = (sys: Syscalls): boolean => sys.access('/etc/alpine-release', '');
