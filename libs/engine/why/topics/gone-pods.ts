import { Pods } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { DELETERS_WITH_NODES } from '../chain.js';
import { explainMissing } from '../missing.js';
import { findNodeChange, NOWHERE } from '../origins.js';
import { actorText, changeText } from '../text.js';
import { eventsOf, refText, revisionOf, type World } from '../world.js';

const CREATED = /^Created pod: (\S+)$/;
const MAX_PODS = 3;
const MAX_CHANGES = 20;

/** A pod that has ended with its node, whoever has deleted it then. */
function lostFinding(world: World, namespace: string, name: string): WhyFinding | undefined {
  const place = { resource: 'pods', namespace, name };
  const before = Number.MAX_SAFE_INTEGER;
  const { changes } = world.past({ type: 'search', filter: place, before, limit: MAX_CHANGES });
  const end = changes.find(({ actor }) => DELETERS_WITH_NODES.has(actor));
  const { revision } = end ? findNodeChange(world, { ...place, revision: end.revision }) : NOWHERE;
  if (!end || revision === 0) return undefined;
  const [change] = world.past({ type: 'chain', revision, limit: 1 }).changes;
  if (!change) return undefined;
  const message = `${actorText(end.actor)} has given it up, because ${changeText(change, 'node')} at revision ${revision}`;
  return { object: refText('pod', namespace, name), reason: 'NodeLost', message, revision };
}

/** Of pods that their owner has made and that are gone: what was told of them last, or who has deleted them. */
export function goneFindings(world: World, owner: KubeObject, ownActor: string): WhyFinding[] {
  const { namespace = '' } = owner.metadata;
  const names = eventsOf(world, owner).flatMap(({ message = '' }) => CREATED.exec(message)?.[1] ?? []);
  const gone = names.filter((name) => !world.read.get(Pods, { namespace, name }));
  return gone.slice(0, MAX_PODS).flatMap((name) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name } };
    const object = refText('pod', namespace, name);
    const warned = eventsOf(world, pod).filter(({ type, reason }) => type === 'Warning' && reason !== 'BackOff');
    // 'Error: ErrImagePull' says less than what stands before it.
    const told = warned.find(({ message = '' }) => !message.startsWith('Error: ')) ?? warned[0];
    const { message = '', reason = '' } = told ?? {};
    const last = told
      ? [
          {
            object,
            reason,
            message: `it is gone; the last that was told of it: ${message}`,
            revision: revisionOf(told),
          },
        ]
      : [];
    const lost = last.length === 0 ? lostFinding(world, namespace, name) : undefined;
    if (lost) return [lost];
    const { finding } = explainMissing(world, Pods, namespace, name);
    const isOwn = finding.message.includes(` by ${ownActor}`) && !finding.message.includes(', because ');
    return [...last, ...(finding.reason === 'Deleted' && !isOwn && last.length === 0 ? [finding] : [])];
  });
}
