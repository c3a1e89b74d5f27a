import type { Event, Pod } from '../../../api/core_v1.js';
import { Events, Nodes, Pods } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { eventsOf, findingOf, refOf, revisionOf, type World } from '../../world.js';

const EVICTED = 'Evicted';
const MAX_OTHERS = 10;
/** As the kubelet says it of limits of pods, containers and emptyDirs. */
const OWN_LIMIT = /exceeds the (?:total )?limit|exceeded its local ephemeral storage limit/;

/** Why a kubelet has evicted a pod: the threshold, and the order in which it took its pods. */
export function evictionFinding(world: World, pod: Pod): WhyFinding | undefined {
  const { reason, message = '' } = pod.status;
  if (reason !== EVICTED) return undefined;
  const event = eventsOf(world, pod).find((one) => one.reason === EVICTED);
  const text = message || event?.message || 'the kubelet has evicted it';
  const details = OWN_LIMIT.test(text)
    ? ['it has exceeded a limit of its own: how much its node has left does not matter']
    : [...pressures(world, pod), ...orderOf(world, pod)];
  return findingOf(pod, EVICTED, text, { details });
}

function pressures({ read }: World, { spec }: Pod): string[] {
  const node = read.get(Nodes, { namespace: '', name: spec.nodeName ?? '' });
  return (node?.status.conditions ?? [])
    .filter(({ type, status }) => type.endsWith('Pressure') && status === 'True')
    .map(({ type, message }) => `node/${spec.nodeName}: ${type}: ${message ?? ''}`);
}

/** Evictions of the same node in their order, then who has stayed. */
function orderOf({ read }: World, pod: Pod): string[] {
  const onNode = read.list(Pods).filter(({ spec }) => spec.nodeName === pod.spec.nodeName);
  const evicted = read
    .list(Events)
    .filter((event: Event) => event.reason === EVICTED && onNode.some((one) => isAbout(event, one)))
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  const names = [...new Set(evicted.map(({ involvedObject: { namespace, name } }) => `pod/${namespace}/${name}`))];
  const order = names.length > 1 ? [`evicted in this order: ${names.slice(-MAX_OTHERS).join(', ')}`] : [];
  const stayed = onNode.filter(({ status }) => status.phase === 'Running').slice(0, MAX_OTHERS);
  const ranks = stayed.map((one) => `${refOf(one)} (priority ${one.spec.priority ?? 0}, ${one.status.qosClass ?? ''})`);
  const own = `ranked by use above requests, then by priority (its own: ${pod.spec.priority ?? 0}, ${pod.status.qosClass ?? ''})`;
  return [...order, own, ...(ranks.length > 0 ? [`these stayed: ${ranks.join(', ')}`] : [])];
}

const isAbout = ({ involvedObject }: Event, { metadata }: Pod): boolean =>
  involvedObject.kind === 'Pod' && involvedObject.uid === metadata.uid;
