import { NetworkPolicies, Pods, Services } from '../kinds/index.js';
import type { TraceAnswer, TraceEnd, TraceQuestion } from '../machinery/questions/trace.js';
import type { WhyFinding } from '../machinery/questions/why.js';
import { proxyCauses, unknownFindings } from './topics/services/ways.js';
import { explainMissing } from './missing.js';
import { findingOf, MAX_DETAILS, refText, revisionOf, type World } from './world.js';
import { serviceTopic } from './topics/services/service.js';
import { podTopic } from './topics/pods/pod.js';

export const endText = (end: TraceEnd): string =>
  end.type === 'address'
    ? end.address
    : refText(end.type === 'name' ? '' : end.type, 'namespace' in end ? end.namespace : '', end.name);

/** Why a connection is refused or lost: the hop that decided, what is wrong with its target; or what is not there. */
export function explainConnection(world: World, question: TraceQuestion): WhyFinding[] | string {
  const answer = world.trace(question, world.now);
  if (typeof answer === 'string') return answer;
  const port = question.port === undefined ? '' : ` port ${question.port}`;
  const ends = `${endText(question.from)} to ${endText(question.to)}${port}`;
  const details = answer.hops.slice(-MAX_DETAILS).map(({ at, type, text }) => `${at}: ${type}: ${text}`);
  const revision = decidedAt(world, answer);
  const connection: WhyFinding = {
    object: endText(question.to),
    reason: `Connection${answer.verdict}`,
    message: `the connection from ${ends} is ${answer.verdict.toLowerCase()}: ${answer.reason}${decider(answer)}`,
    details,
    ...(revision > 0 ? { revision } : {}),
  };
  if (answer.verdict === 'Delivered') return [connection];
  const causes = [...portFindings(world, question), ...nameFindings(world, question)];
  if (causes.length > 0) return [...causes, connection];
  const target = targetFindings(world, question.to);
  const own = [...proxyFindings(world, question, answer), connection];
  // A Service whose endpoints are missing explains who gets no answer there, unless a policy has decided.
  const isBehind = question.to.type === 'service' && !answer.hops.some(({ type }) => type === 'policy');
  return isBehind ? [...target, ...own] : [...own, ...target];
}

/** A port that the Service does not have: no rule is about it. */
function portFindings({ read }: World, { to, port, protocol }: TraceQuestion): WhyFinding[] {
  const service = to.type === 'service' ? read.get(Services, to) : undefined;
  const ports = service?.spec.ports ?? [];
  if (!service || port === undefined || service.spec.clusterIP === 'None') return [];
  if (service.spec.type === 'ExternalName') return [];
  const isMeant = (one: (typeof ports)[number]): boolean =>
    (one.protocol ?? 'TCP') === protocol && (typeof port === 'string' ? one.name === port : one.port === port);
  if (ports.some(isMeant)) return [];
  const has = ports.map((one) => `${one.port}/${one.protocol ?? 'TCP'}${one.name ? ` (${one.name})` : ''}`).join(', ');
  return [findingOf(service, 'NoSuchPort', `it has no port ${port}/${protocol}: it has ${has || 'none'}`)];
}

/** A Service of that name is in another namespace only: a short name means the asker's own. */
function nameFindings(world: World, { from, to }: TraceQuestion): WhyFinding[] {
  const { read } = world;
  if (to.type !== 'name' || from.type !== 'pod') return [];
  const [name = '', namespace = from.namespace] = to.name.split('.');
  const found = read.get(Services, { namespace, name });
  if (found) return found.spec.type === 'ExternalName' ? world.explain('services', found, 0) : [];
  const governing = headless(world, from.namespace, to.name);
  if (governing.length > 0) return governing;
  const others = read.list(Services).filter(({ metadata }) => metadata.name === name);
  return others.slice(0, 1).map((service) => {
    const own = `${name}.${service.metadata.namespace}`;
    const message = `there is no service/${namespace}/${name}: this one is asked by ${own}`;
    return findingOf(service, 'OtherNamespace', message);
  });
}

/** 'db-0.db' is a pod's name below a Service that its pods' set names: why it gives none. */
function headless(world: World, own: string, host: string): WhyFinding[] {
  const [pod = '', service = '', namespace = own] = host.split('.');
  const isPod = service !== '' && world.read.get(Pods, { namespace, name: pod }) !== undefined;
  if (!isPod) return [];
  const found = world.read.get(Services, { namespace, name: service });
  return found ? serviceTopic(world, found, 0) : [explainMissing(world, Services, namespace, service).finding];
}

/** What the rules of the sender's node do with a Service's address, or that they do not have it. */
function proxyFindings(world: World, { to }: TraceQuestion, answer: TraceAnswer): WhyFinding[] {
  const service = to.type === 'service' ? world.read.get(Services, to) : undefined;
  if (!service) return [];
  const causes = answer.verdict === 'Delivered' ? [] : proxyCauses(world, service, answer.hops);
  return causes.length > 0 ? causes : unknownFindings(world, service, answer);
}

/** The policy or rule at which the packet ended. */
function decider({ hops, verdict }: TraceAnswer): string {
  const last = hops.findLast(({ type }) => type === 'policy' || type === 'rule' || type === 'loss');
  return last && verdict !== 'Delivered' && last.type !== 'rule' ? ` (${last.at}: ${last.text})` : '';
}

/** The revision of the policy that a hop names. */
function decidedAt({ read }: World, { hops }: TraceAnswer): number {
  // What a policy has let through is lost for another reason.
  if (hops.at(-1)?.type === 'loss') return 0;
  const text = hops.findLast(({ type }) => type === 'policy')?.text ?? '';
  const policy = read
    .list(NetworkPolicies)
    .find(({ metadata }) => text.includes(`${metadata.namespace}/${metadata.name}`));
  return policy ? revisionOf(policy) : 0;
}

function targetFindings(world: World, to: TraceEnd): WhyFinding[] {
  if (to.type === 'service') {
    const service = world.read.get(Services, to);
    const isOfTrace = ({ reason }: WhyFinding): boolean => reason.startsWith('Connection');
    return service ? serviceTopic(world, service, 0).filter((one) => !isOfTrace(one)) : [];
  }
  if (to.type === 'name') {
    // Whoever asks for a name has nobody to ask.
    const names = world.read.get(Services, { namespace: 'kube-system', name: 'kube-dns' });
    return names ? serviceTopic(world, names, 0).filter(({ reason }) => reason !== 'NetworkPolicy') : [];
  }
  const pod = to.type === 'pod' ? world.read.get(Pods, to) : undefined;
  return pod ? podTopic(world, pod, 0) : [];
}
