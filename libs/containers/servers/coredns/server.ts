import type { NameAnswer } from '../../../engine/kernel/process/syscalls.js';
import type { NameQuestion } from '../../../engine/node/dns/question.js';
import { absolute, type Configuration, type Zone } from './configuration.js';
import { askUpstreams, forwards, upstreamsOf } from './plugins/forward.js';
import { answerHosts } from './plugins/hosts.js';
import { answerKubernetes } from './plugins/kubernetes.js';
import { logLine } from './plugins/log.js';
import { rewriteQuestion } from './plugins/rewrite.js';
import { isInZone } from './plugins/words.js';

const DNS_PORT = 53;
/** A name that is another name that is another name. */
const MAX_ALIASES = 7;
const REFUSED: NameAnswer = { code: 'REFUSED', records: [], isAuthoritative: false, delay: 0 };

/** CoreDNS' answer by its configuration. Models core/dnsserver ServeDNS and the order of plugin.cfg. */
export function answerQuestion(configuration: Configuration, question: NameQuestion, aliases = 0): NameAnswer {
  const name = absolute(question.name);
  const zone = findZone(configuration, name);
  if (!zone || aliases > MAX_ALIASES) return zone ? { ...REFUSED, code: 'SERVFAIL' } : REFUSED;
  const asked = rewriteQuestion(zone.rewrites, { name, type: question.type });
  const answer = askPlugins(configuration, zone, asked, question, aliases);
  const records = asked.restores
    ? answer.records.map((record) => (record.name === asked.name ? { ...record, name } : record))
    : answer.records;
  return { ...answer, records };
}

/** The same, with the line that the log plug-in writes of it. */
export function answerAndLog(configuration: Configuration, question: NameQuestion): NameAnswer {
  // What another server has logged is that one's.
  const { logged: _theirs, ...answer } = answerQuestion(configuration, question);
  const name = absolute(question.name);
  const zone = findZone(configuration, name);
  const text = zone && logLine(zone.logs, { name, type: question.type, now: question.now }, answer);
  return text === undefined ? answer : { ...answer, logged: { text } };
}

/** The block of the longest zone that the name is in. */
function findZone({ zones }: Configuration, name: string): Zone | undefined {
  let best: { readonly zone: Zone; readonly length: number } | undefined;
  for (const zone of zones) {
    if (zone.port !== DNS_PORT) continue;
    for (const own of zone.names) {
      if (isInZone(name, own) && own.length > (best?.length ?? 0)) best = { zone, length: own.length };
    }
  }
  return best?.zone;
}

function askPlugins(
  configuration: Configuration,
  { hosts, kubernetes, forwards: upstreams }: Zone,
  { name, type }: { readonly name: string; readonly type: string },
  question: NameQuestion,
  aliases: number,
): NameAnswer {
  const again = (other: string, otherType: string): NameAnswer =>
    answerQuestion(configuration, { ...question, name: other, type: otherType }, aliases + 1);
  const fromHosts = hosts && answerHosts(hosts, name, type);
  if (fromHosts) return fromHosts;
  for (const settings of kubernetes) {
    const { read, now } = question;
    const found = answerKubernetes(settings, { name, type, read, now, again });
    if (found) return found;
  }
  const forward = upstreams.find((one) => forwards(one, name));
  return forward ? askUpstreams(forward, name, type, question) : REFUSED;
}

/** A server that forwards to itself: the loop plug-in ends it. */
export function findLoop(
  { zones, detectsLoops }: Configuration,
  nameservers: readonly string[],
  own: readonly string[],
): string | undefined {
  if (!detectsLoops) return undefined;
  for (const { forwards: all, names } of zones) {
    if (!names.includes('.')) continue;
    const found = all
      .filter(({ zone }) => zone === '.')
      .flatMap((forward) => upstreamsOf(forward, nameservers))
      .find((server) => own.includes(server) || server.startsWith('127.'));
    if (found !== undefined) return found;
  }
  return undefined;
}
