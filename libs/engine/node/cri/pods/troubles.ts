import type { Container, Pod } from '../../../api/core_v1.js';
import { claimNameOf } from '../../../kinds/core/pod/claims.js';
import { isInScope, type EffectOf } from '../../../faults/index.js';
import { bytesOf } from '../../../kernel/bytes.js';
import type { ErrorCode } from '../../../kernel/errno.js';
import type { LeakTrouble, MountTrouble, Trouble } from '../../../kernel/trouble.js';
import { lastingEffects, type Lasting } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import { trimRight } from '../../../machinery/text/strings.js';
import type { Millis } from '../../../machinery/time/time.js';
import { concernsClaim } from '../../kubelet/volumemanager/volume-faults.js';

/** What faults do, and did, to the containers of a pod. */
export interface Troubles {
  /** When something of it begins or ends. */
  readonly times: readonly Millis[];
  /** What is wrong with a container at a time; undefined: nothing. */
  at(container: Container, at: Millis): Trouble | undefined;
}

/** Undefined: no fault concerns the pod. */
export function troublesOf(read: Reader, pod: Pod): Troubles | undefined {
  const clocks = lastingEffects(read, 'clock').filter(({ effect }) => concernsClock(effect, pod));
  const stresses = lastingEffects(read, 'stress').filter(({ effect }) => isInScope(effect.pods, pod));
  const volumes = lastingEffects(read, 'volume').filter(({ effect }) => concernsFiles(effect, pod));
  const leaks = lastingEffects(read, 'process').filter(
    ({ effect }) => effect.act === 'leak' && isInScope(effect.pods, pod),
  );
  if (clocks.length + stresses.length + volumes.length + leaks.length === 0) return undefined;
  return {
    times: [...clocks, ...stresses, ...volumes, ...leaks].flatMap(({ from, to }) =>
      to < Infinity ? [from, to] : [from],
    ),
    at: (container, at) =>
      troubleOf(pod, container, {
        clocks: effectsAt(clocks, at).filter(({ containers }) => isNamed(containers, container)),
        stresses: effectsAt(stresses, at).filter(({ containers }) => isNamed(containers, container)),
        volumes: effectsAt(volumes, at).filter(({ containers }) => isNamed(containers, container)),
        leak: leakAt(leaks, container, at),
      }),
  };
}

/** The quickest of the leaks that a container has at a time. */
function leakAt(leaks: readonly Lasting<EffectOf<'process'>>[], container: Container, at: Millis) {
  const found = leaks
    .filter(({ effect, from, to }) => from <= at && at < to && isNamed(effect.containers, container))
    .map(({ effect, from }) => ({ from, afterMs: effect.afterMs ?? 0 }));
  return found.sort((a, b) => a.from + a.afterMs - (b.from + b.afterMs))[0];
}

const isNamed = (names: readonly string[] | undefined, { name }: Container): boolean => !names || names.includes(name);

const effectsAt = <E extends Lasting['effect']>(all: readonly Lasting<E>[], at: Millis): E[] =>
  all.filter(({ from, to }) => from <= at && at < to).map(({ effect }) => effect);

const concernsClock = ({ nodes, pods }: EffectOf<'clock'>, pod: Pod): boolean =>
  (nodes?.includes(pod.spec.nodeName ?? '') ?? false) || (pods !== undefined && isInScope(pods, pod));

const ONE_CPU = 1_000;

/** Attaching, mounting and provisioning are over before there is a container. */
const FILES: ReadonlySet<EffectOf<'volume'>['fault']> = new Set([
  ...['full', 'read-only', 'io-error', 'slow', 'attributes', 'mistake'],
] as const);

const concernsFiles = ({ fault, pods }: EffectOf<'volume'>, pod: Pod): boolean =>
  FILES.has(fault) && (!pods || isInScope(pods, pod));

interface Present {
  readonly clocks: readonly EffectOf<'clock'>[];
  readonly stresses: readonly EffectOf<'stress'>[];
  readonly volumes: readonly EffectOf<'volume'>[];
  readonly leak: LeakTrouble | undefined;
}

function troubleOf(pod: Pod, container: Container, { clocks, stresses, volumes, leak }: Present): Trouble | undefined {
  const clockMs = clocks.reduce((sum, { offsetMs }) => sum + offsetMs, 0);
  const stress = stresses.reduce((sum, { cpu }) => sum + cpu, 0);
  const workers = stresses.reduce((sum, { cpu, workers: own }) => sum + (own ?? Math.ceil(cpu / ONE_CPU)), 0);
  const mounts = volumes.flatMap((effect) => mountTroubles(pod, container, effect));
  if (clockMs === 0 && stress === 0 && mounts.length === 0 && !leak) return undefined;
  return {
    ...(clockMs === 0 ? {} : { clockMs }),
    ...(stress === 0 ? {} : { stress, workers }),
    ...(mounts.length === 0 ? {} : { mounts }),
    ...(leak ? { leak } : {}),
  };
}

function mountTroubles(pod: Pod, container: Container, effect: EffectOf<'volume'>): MountTrouble[] {
  return (container.volumeMounts ?? [])
    .filter(({ name, mountPath }) => concernsMount(pod, name, mountPath, effect))
    .map(({ mountPath }) => ({ path: bytesOf(trimRight(mountPath, '/') || '/'), ...whatIsWrong(effect, mountPath) }));
}

const absolute = (path: string, mountPath: string): string =>
  path.startsWith('/') ? path : `${trimRight(mountPath, '/')}/${path}`;

/** Mounts of claims, or whatever is mounted at a path that is named. */
function concernsMount(pod: Pod, volume: string, path: string, effect: EffectOf<'volume'>): boolean {
  if (effect.mountPath !== undefined) return trimRight(effect.mountPath, '/') === trimRight(path, '/');
  const found = pod.spec.volumes?.find(({ name }) => name === volume);
  const claim = found && claimNameOf(pod, found);
  return claim !== undefined && concernsClaim(effect, pod.metadata.namespace ?? '', claim);
}

/** `below` is a path of the container, or one from the mount on. */
function whatIsWrong(effect: EffectOf<'volume'>, mountPath: string): Omit<MountTrouble, 'path'> {
  const { fault, error, percent, latencyMs, calls, below, attributes, mistake } = effect;
  if (fault === 'full' || fault === 'read-only') return { state: fault };
  const share = {
    ...(percent === undefined || percent >= 100 ? {} : { percent }),
    ...(calls ? { calls } : {}),
    ...(below === undefined ? {} : { below: bytesOf(trimRight(absolute(below, mountPath), '/')) }),
  };
  if (attributes) return { attributes, ...share };
  if (mistake) return { mistake, ...share };
  return fault === 'slow'
    ? { latencyMs: latencyMs ?? 0, ...share }
    : { error: (error ?? 'EIO') as ErrorCode, ...share };
}
