import type { DaemonSet } from '../../api/apps_v1.js';
import type { Node } from '../../api/core_v1.js';
import { Nodes } from '../../kinds/index.js';
import { matchesMap } from '../../machinery/selectors/selectors.js';
import { formatTaint } from '../../machinery/scheduling/tolerations.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { findingOf, MAX_DETAILS, refOf, type Topic, type World } from '../world.js';
import { controllerDown, ON_DELETE, podReasons, podsOf, refusal, troubles } from './workloads.js';

/** Why a DaemonSet's pods are not on every node that it wants. */
export const daemonSetTopic: Topic<DaemonSet> = (world, set, depth) => {
  const { desiredNumberScheduled = 0, numberReady = 0 } = set.status ?? {};
  const down = controllerDown(world, set, 'daemonset');
  if (down.length > 0) return down;
  const refusedNow = refusal(world, set);
  if (desiredNumberScheduled === 0) return [...(refusedNow ? [refusedNow] : []), noNodeFinding(world, set)];
  // A node whose pod was refused is not left out.
  const left = refusedNow ? [] : leftOutFinding(world, set);
  const isBehind = (set.status?.updatedNumberScheduled ?? 0) < desiredNumberScheduled;
  const held = isBehind && set.spec.updateStrategy?.type === 'OnDelete' ? [findingOf(set, 'OnDelete', ON_DELETE)] : [];
  if (numberReady >= desiredNumberScheduled)
    return [...held, ...troubles(world, set, podsOf(world, set), depth), ...left];
  const own = findingOf(set, 'NotReady', `${numberReady} of ${desiredNumberScheduled} pods are ready`);
  return [...(refusedNow ? [refusedNow] : []), ...podReasons(world, podsOf(world, set), depth), own, ...left];
};

/** Nodes that a DaemonSet does not want a pod on, and why not. */
function leftOutFinding(world: World, set: DaemonSet): WhyFinding[] {
  const covered = new Set(podsOf(world, set).map((pod) => world.daemonNode(pod)));
  const without = world.read.list(Nodes).filter(({ metadata }) => !covered.has(metadata.name));
  if (without.length === 0) return [];
  const details = without.slice(0, MAX_DETAILS).map((node) => `${refOf(node)}: ${whyNotOn(world, set, node)}`);
  return [findingOf(set, 'NotOnNodes', `it wants no pod on ${without.length} of the nodes`, { details })];
}

const isSelected = (selector: Readonly<Record<string, string>> = {}, { metadata }: Node): boolean =>
  Object.keys(selector).length === 0 || matchesMap(selector, metadata.labels);

function whyNotOn(world: World, set: DaemonSet, node: Node): string {
  const { nodeSelector = {} } = set.spec.template.spec!;
  if (!isSelected(nodeSelector, node))
    return `it does not have the labels of the nodeSelector ${JSON.stringify(nodeSelector)}`;
  const texts = world.untoleratedByDaemon(set, node).map(formatTaint);
  return texts.length > 0 ? `it has taints that are not tolerated: ${texts.join(', ')}` : 'its affinity excludes it';
}

function noNodeFinding(world: World, set: DaemonSet): WhyFinding {
  const selector = set.spec.template.spec?.nodeSelector;
  const nodes = world.read.list(Nodes);
  const matching = nodes.filter((node) => isSelected(selector, node));
  const details = matching.map((node) => `${refOf(node)}: ${whyNotOn(world, set, node)}`);
  const message =
    matching.length === 0
      ? `no node has the labels of its nodeSelector ${JSON.stringify(selector)}`
      : 'no node admits its pods';
  return findingOf(set, 'NoNodes', message, { details });
}
