import type { Condition } from '../../api/meta_v1.js';
import { faultTypeOf, readSpan, Values, type Effect, type FaultType, type Given } from '../../faults/index.js';
import { Faults } from '../../kinds/index.js';
import type { Fault, FaultStatus } from '../../kinds/terrarium/fault/kind.js';
import { addFinalizer, removeFinalizer } from '../../machinery/meta/finalizers.js';
import { hash32 } from '../../machinery/random.js';
import { microTimestamp, parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, type Context, type Result } from '../../runtime/controller.js';
import { chooseTargets } from './choose.js';
import { deletePods, drainNodes, setUnschedulable } from './evict.js';
import { replaceImages, restoreImages } from './images.js';

/** What has to be undone before the object goes. */
const FINALIZER = 'terrarium.dev/fault';
/** kubectl drain's, between two tries to evict a pod. */
const DRAIN_RETRY: Millis = 5 * SECOND;

/**
 * Lets faults begin and end at their times, and says what they act on: the components look at active ones. It records
 * no events: who looks for a cause is not to read it there. Terrarium's own.
 */
export const controller = defineController<Fault>({
  name: 'fault',
  component: 'terrarium',
  actor: 'system:terrarium',
  for: Faults,
  reconcile(context, key): Result | void {
    const fault = context.client.get(Faults, key);
    const type = fault && faultTypeOf(fault.spec.type);
    if (!fault || !type) return;
    if (fault.metadata.deletionTimestamp) return undo(context, fault);
    switch (fault.status.phase ?? 'Pending') {
      case 'Pending':
        return wait(context, fault, type);
      case 'Active':
        return keepUp(context, fault, type);
      case 'Finished':
      case 'Failed':
        return;
    }
  },
});

function wait(context: Context, fault: Fault, type: FaultType): Result | void {
  const { now } = context;
  const startsAt = fault.status.startsAt === undefined ? startOf(fault, now) : parseTimestamp(fault.status.startsAt);
  if (fault.spec.ended) return void write(context, fault, { phase: 'Finished', endTime: microTimestamp(now) }, 'Ended');
  if (startsAt <= now) return begin(context, fault, type, startsAt);
  if (fault.status.startsAt === undefined)
    write(context, fault, { phase: 'Pending', startsAt: microTimestamp(startsAt) }, 'Waiting');
  return { requeueAfter: startsAt - now };
}

/** A duration counts from the moment at which the fault is first seen: that of its creation. */
const startOf = ({ spec: { start } }: Fault, now: Millis): Millis =>
  start === undefined ? now : now + (readSpan(start) ?? parseTimestamp(start) - now);

function begin(context: Context, fault: Fault, type: FaultType, startsAt: Millis): Result | void {
  const { client, now } = context;
  const { target = {}, parameters } = fault.spec;
  const seed = fault.spec.seed ?? hash32(fault.metadata.uid ?? '');
  const chosen = chooseTargets(client, target, type.selects, seed);
  const values = new Values(type.parameters ?? {}, parameters);
  const effects = type.effects({ ...chosen, target, values, seed });
  const times = { startsAt: microTimestamp(startsAt), startTime: microTimestamp(now) };
  if (hasNothing(type, chosen, effects)) {
    const message = `no ${type.selects === 'nodes' ? 'node' : 'pod'} matches the target`;
    return void write(
      context,
      fault,
      { phase: 'Failed', ...times, endTime: microTimestamp(now), message },
      'NoTargets',
    );
  }
  const targets = [...chosen.nodes.map((name) => `node/${name}`), ...chosen.pods.map((name) => `pod/${name}`)];
  const held = effects.some(isUndone) ? hold(context, fault) : fault;
  const endsAt = endOf(fault, type, now);
  const end = endsAt === undefined ? {} : { endsAt: microTimestamp(endsAt) };
  const next = write(context, held, { phase: 'Active', ...times, ...end, targets, effects: [...effects] }, 'Injected');
  for (const effect of effects) {
    if (effect.does === 'evict' && effect.act === 'delete') deletePods(context, effect);
    if (effect.does === 'image') replaceImages(context, effect);
  }
  return keepUp(context, next, type);
}

/** One that acts on pods of later on may begin without any. */
const hasNothing = (type: FaultType, { nodes, pods, scope }: Partial<Given>, effects: readonly Effect[]): boolean => {
  if (type.selects === 'cluster') return false;
  if (type.selects === 'nodes') return nodes?.length === 0;
  return (
    pods?.length === 0 &&
    ((scope && 'chosen' in scope) || effects.some(({ does }) => does === 'evict' || does === 'image'))
  );
};

function endOf({ spec, status }: Fault, type: FaultType, now: Millis): Millis | undefined {
  const span = readSpan(spec.duration) ?? type.lasts?.(new Values(type.parameters ?? {}, spec.parameters));
  if (span === undefined) return undefined;
  return (status.startTime === undefined ? now : parseTimestamp(status.startTime)) + span;
}

/** Until its end; what has to be tried again is. */
function keepUp(context: Context, fault: Fault, type: FaultType): Result | void {
  const { now } = context;
  const endsAt = endOf(fault, type, now);
  const isOver = fault.spec.ended === true || (endsAt !== undefined && endsAt <= now);
  if (isOver) return end(context, fault);
  const text = endsAt === undefined ? undefined : microTimestamp(endsAt);
  if (text !== fault.status.endsAt) {
    const { endsAt: _before, ...status } = fault.status;
    write(context, fault, { ...status, ...(text === undefined ? {} : { endsAt: text }) }, 'Injected');
  }
  const drains = (fault.status.effects ?? []).filter(isDrain);
  const isLeft = drains.map((effect) => drainNodes(context, effect)).includes(true);
  const left = endsAt === undefined ? Infinity : endsAt - now;
  const wake = Math.min(left, isLeft ? DRAIN_RETRY : Infinity);
  if (wake < Infinity) return { requeueAfter: wake };
}

const isDrain = (effect: Effect): effect is Extract<Effect, { does: 'evict' }> =>
  effect.does === 'evict' && effect.act === 'drain';

/** What it has written is taken back at the end. */
const isUndone = (effect: Effect): boolean => isDrain(effect) || effect.does === 'image';

function end(context: Context, fault: Fault): void {
  takeBack(context, fault);
  const stamp = microTimestamp(context.now);
  const ended = write(context, fault, { ...fault.status, phase: 'Finished', endTime: stamp }, 'Recovered');
  release(context, ended);
}

/** An active fault that is deleted ends. */
function undo(context: Context, fault: Fault): void {
  if (fault.status.phase === 'Active') takeBack(context, fault);
  release(context, fault);
}

function takeBack(context: Context, { status: { effects = [] } }: Fault): void {
  for (const { nodes = [] } of effects.filter(isDrain)) setUnschedulable(context, nodes, false);
  for (const effect of effects) if (effect.does === 'image') restoreImages(context, effect);
}

const hold = ({ client }: Context, fault: Fault): Fault => client.update(Faults, addFinalizer(fault, FINALIZER));

function release({ client }: Context, fault: Fault): void {
  const released = removeFinalizer(fault, FINALIZER);
  if (released !== fault) client.update(Faults, released);
}

type Reason = 'Waiting' | 'Injected' | 'Recovered' | 'NoTargets' | 'Ended';

function write({ client, now }: Context, fault: Fault, status: FaultStatus, reason: Reason): Fault {
  const isActive = status.phase === 'Active';
  const known = fault.status.conditions?.[0];
  const next: Condition = {
    type: 'Active',
    status: isActive ? 'True' : 'False',
    reason,
    message: status.message ?? '',
  } as Condition;
  const lastTransitionTime = known?.status === next.status ? known.lastTransitionTime : timestamp(now);
  const observedGeneration = fault.metadata.generation;
  return client.updateStatus(Faults, {
    ...fault,
    status: {
      ...status,
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
      conditions: [{ ...next, lastTransitionTime }],
    },
  });
}
