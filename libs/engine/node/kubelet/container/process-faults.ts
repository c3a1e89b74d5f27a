import type { Container, Pod } from '../../../api/core_v1.js';
import { isInScope, type EffectOf, type NetworkEffect } from '../../../faults/index.js';
import { lastingEffects, type Lasting } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import { quantityValue } from '../../../machinery/quantity/quantity.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';

type Act = Lasting<EffectOf<'process'>>;
type Link = Lasting<NetworkEffect>;
type Delay = Lasting<EffectOf<'probe'>>;

/** A container's process with what faults do to it, of now and of before: its course follows from its start. */
export function withProcessFaults(
  read: Reader,
  pod: Pod,
  { name }: Container,
  process: Process,
  startedAt: Millis,
): Process {
  const acts = lastingEffects(read, 'process').filter((one) => concerns(one, pod, name));
  const delays = lastingEffects(read, 'probe').filter((one) => concerns(one, pod, name));
  const links = lastingEffects(read, 'network').filter(({ effect }) => concernsWholePod(effect, pod));
  if (acts.length === 0 && delays.length === 0 && links.length === 0) return process;
  const started = withStart(process, acts, startedAt);
  return withLatency(withEnd(started, acts, startedAt), acts, [...delays, ...links], startedAt);
}

/** When faults end a run of a container that has begun at `startedAt`; Infinity: they do not. */
export const endByFaults = (read: Reader, pod: Pod, name: string, startedAt: Millis): Millis =>
  lastingEffects(read, 'process')
    .filter(({ effect }) => effect.act === 'exit')
    .filter((one) => concerns(one, pod, name))
    .reduce((first, one) => Math.min(first, endOf(one, startedAt) ?? Infinity), Infinity);

/** Whether the containers of a pod answer nobody now. */
export function isHung(read: Reader, pod: Pod, now: Millis): boolean {
  const hangs = lastingEffects(read, 'process').filter(({ effect }) => effect.act === 'hang');
  if (hangs.length === 0) return false;
  const isStopped = (name: string): boolean => hangs.some((one) => isAt(one, now) && concerns(one, pod, name));
  return pod.spec.containers.every(({ name }) => isStopped(name));
}

/**
 * The memory that a container has lost to leaks at `now`, in bytes: they grow evenly from its start, or the fault's, to
 * the container's limit. Without a limit, to a quarter of a GiB.
 */
export function leakedBytes(read: Reader, pod: Pod, container: Container, startedAt: Millis, now: Millis): number {
  let share = 0;
  for (const one of lastingEffects(read, 'process')) {
    const { act, afterMs = 0 } = one.effect;
    if (act !== 'leak' || now >= one.to || !concerns(one, pod, container.name)) continue;
    const since = now - Math.max(startedAt, one.from);
    if (since > 0) share = Math.max(share, Math.min(1, since / Math.max(1, afterMs)));
  }
  if (share === 0) return 0;
  const limit = container.resources?.limits?.['memory'];
  return Math.round(share * (limit === undefined ? UNLIMITED_LEAK : quantityValue(limit)));
}

const UNLIMITED_LEAK = 2 ** 28;

/** Everything that passes the pod's interface is hit, the kubelet's probes too. */
const concernsWholePod = ({ from: { pods }, to }: NetworkEffect, pod: Pod): boolean =>
  pods !== undefined && !to && isInScope(pods, pod);

const latencyOf = (effect: (Delay | Link)['effect']): Millis =>
  effect.does === 'probe' ? effect.latencyMs : effect.lossPercent === 100 ? Infinity : 2 * (effect.delayMs ?? 0);

const concerns = ({ effect: { pods, containers } }: Act | Delay, pod: Pod, container: string): boolean =>
  (!containers || containers.includes(container)) && isInScope(pods, pod);

const isAt = ({ from, to }: Lasting, at: Millis): boolean => at >= from && at < to;

/** A program that is started meanwhile takes longer. */
function withStart(process: Process, acts: readonly Act[], startedAt: Millis): Process {
  const slow = acts.filter((one) => one.effect.act === 'slow' && isAt(one, startedAt));
  if (slow.length === 0) return process;
  const delay = Math.max(...slow.map(({ effect }) => effect.afterMs ?? 0));
  const readyAfterMs = process.readyAfterMs + delay;
  const { isListening } = process;
  return {
    ...process,
    readyAfterMs,
    ...(isListening
      ? { isListening: (port: number, since: Millis) => since >= readyAfterMs && isListening(port, since) }
      : {}),
  };
}

/** The first of its ends, its own among them: a machine that a fault kills ends at that very moment. */
function withEnd(process: Process, acts: readonly Act[], startedAt: Millis): Process {
  let { exit } = process;
  for (const act of acts) {
    const at = endOf(act, startedAt);
    if (at === undefined || (exit && startedAt + exit.afterMs < at)) continue;
    const { code = 1, reason } = act.effect;
    exit = { afterMs: at - startedAt, code, ...(reason === undefined ? {} : { reason }) };
  }
  return exit === process.exit ? process : { ...process, exit };
}

/** When a fault ends a run; undefined: it does not. */
function endOf({ effect, from, to }: Act, startedAt: Millis): Millis | undefined {
  const { act, afterMs = 0, repeats } = effect;
  if (act !== 'exit' && act !== 'leak') return undefined;
  // A run that begins at that very moment is the next one.
  if (startedAt < from) return act === 'exit' ? from : before(from + afterMs, to);
  return repeats && startedAt < to ? before(startedAt + afterMs, to) : undefined;
}

const before = (at: Millis, end: Millis): Millis | undefined => (at < end ? at : undefined);

/** One that hangs answers nobody, and does not hear SIGTERM. */
function withLatency(
  process: Process,
  acts: readonly Act[],
  delays: readonly (Delay | Link)[],
  startedAt: Millis,
): Process {
  const hangs = acts.filter(({ effect }) => effect.act === 'hang');
  if (hangs.length === 0 && delays.length === 0) return process;
  const latencyMs = (since: Millis): Millis =>
    hangs.some((one) => isAt(one, startedAt + since))
      ? Infinity
      : delays.reduce((sum, one) => sum + (isAt(one, startedAt + since) ? latencyOf(one.effect) : 0), 0);
  const turns = [...hangs, ...delays]
    .flatMap(({ from, to }) => [from - startedAt, to - startedAt])
    .filter((turn) => turn > 0 && turn < Infinity);
  return {
    ...process,
    latencyMs,
    changes: [...(process.changes ?? []), ...turns],
    isDeaf: (since) => hangs.some((one) => isAt(one, startedAt + since)),
  };
}
