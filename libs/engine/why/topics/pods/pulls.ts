import type { Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { findingOf, lastEvent, refOf, revisionOf, type World } from '../../world.js';

const REASONS = ['Pulling', 'Pulled', 'Failed', 'BackOff'];

/** Whether a pod that has not begun waits for an image, and for whose pulls before its own its kubelet lets it wait. */
export function pullFinding(world: World, pod: Pod): WhyFinding | undefined {
  const event = lastEvent(world, pod, REASONS);
  if (event?.reason !== 'Pulling') return undefined;
  const since = revisionOf(event) ?? 0;
  const { nodeName = '' } = pod.spec;
  const before = world.read
    .list(Pods)
    .filter(({ metadata, spec }) => spec.nodeName === nodeName && metadata.uid !== pod.metadata.uid)
    .filter((other) => isPullingBefore(world, other, since))
    .map(refOf);
  const told = `other images of ${nodeName} were asked for before: by ${before.join(', ')}`;
  const details = before.length > 0 ? { details: [told] } : {};
  return findingOf(pod, 'Pulling', event.message ?? '', { revision: since, ...details });
}

function isPullingBefore(world: World, pod: Pod, revision: number): boolean {
  const event = lastEvent(world, pod, REASONS);
  return event?.reason === 'Pulling' && (revisionOf(event) ?? 0) < revision;
}
