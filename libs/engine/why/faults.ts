import type { Pod } from '../api/core_v1.js';
import { Clocks, Faults, Pods } from '../kinds/index.js';
import { CLOCK } from '../kinds/terrarium/clock/kind.js';
import type { Fault } from '../kinds/terrarium/fault/kind.js';
import { makeAccess } from '../machinery/requests/auth.js';
import { timestamp } from '../machinery/time/time.js';
import type { User } from '../machinery/requests/user.js';
import type { WhyFinding } from '../machinery/questions/why.js';
import { findingOf, type World } from './world.js';

const MAX_FAULTS = 5;

/**
 * Faults that act now on what an answer tells of, or on the cluster as a whole: for who may see Faults, since a learner
 * is to find out by symptoms.
 */
export function faultFindings(world: World, asker: User, findings: readonly WhyFinding[]): WhyFinding[] {
  const active = world.read.list(Faults).filter(({ status }) => status?.phase === 'Active');
  if (active.length === 0 || !maySeeFaults(world, asker)) return [];
  const told = new Set(findings.flatMap((one) => [one.object, nodeOf(world, one.object), ...placesOnWay(one)]));
  const acts = ({ status }: Fault): boolean => {
    const targets = status.targets ?? [];
    return targets.length === 0 || targets.some((one) => told.has(one)) || !targets.some(isPodOrNode);
  };
  return active.filter(acts).slice(0, MAX_FAULTS).map(faultFinding);
}

/** What an answer tells of that only needs time: a clock that stands still explains it. */
const NEEDS_TIME = new Set([
  'Pending',
  'NotComplete',
  'NotReady',
  'NoStatus',
  'NotDue',
  'ContainersNotReady',
  'NoAddress',
  'WaitForPodScheduled',
  'ExternalProvisioning',
  'Terminating',
  'Well',
]);

/** Findings with what a paused clock adds: first where nothing else is wrong, else last. */
export function withClock(world: World, findings: readonly WhyFinding[]): WhyFinding[] {
  const clock = world.read.get(Clocks, { namespace: '', name: CLOCK });
  if (!clock?.spec.paused) return [...findings];
  const message = `the cluster's clock is paused at ${timestamp(world.now)}: nothing happens until somebody lets it run`;
  const own = findingOf(clock, 'ClockPaused', message);
  return NEEDS_TIME.has(findings[0]?.reason ?? 'Well') ? [own, ...findings] : [...findings, own];
}

const maySeeFaults = ({ auth }: World, asker: User): boolean =>
  auth.authorize(asker, makeAccess('list', { group: 'terrarium.dev', resource: 'faults' })).allowed;

const isPodOrNode = (target: string): boolean => /^(pod|node)\//.test(target);

/** The nodes that a connection comes by, and the pods at its ends. */
const placesOnWay = ({ details = [] }: WhyFinding): string[] =>
  details.flatMap((line) => {
    const [, kind, name] = /^(node|pod) ([^ :]+): /.exec(line) ?? [];
    return kind === undefined ? [] : [`${kind}/${name}`];
  });

/** 'node/worker-1' of 'pod/shop/web'; empty when it has none. */
function nodeOf({ read }: World, object: string): string {
  const [kind, namespace = '', name = ''] = object.split('/');
  const pod: Pod | undefined = kind === 'pod' ? read.get(Pods, { namespace, name }) : undefined;
  return pod?.spec.nodeName ? `node/${pod.spec.nodeName}` : '';
}

function faultFinding(fault: Fault): WhyFinding {
  const { targets = [], startTime = '', endsAt } = fault.status;
  const on = targets.length > 0 ? ` of ${targets.slice(0, MAX_FAULTS).join(', ')}` : '';
  const until = endsAt ? ` until ${endsAt.slice(0, 19)}Z` : ', and does not end by itself';
  const message = `a fault is active since ${startTime.slice(0, 19)}Z${until}: ${fault.spec.type}${on}`;
  return findingOf(fault, 'Fault', message);
}
