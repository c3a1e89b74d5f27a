import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import { checkDelayOf, checkTimeoutOf } from '../env.js';
import { createFault, faultsOfRun, removeFaults } from './faults.js';
import type { Ground } from '../ground.js';
import { durationOf, HELPERS } from '../helpers/helper-specs.js';
import { createHelpers, helpersOf, removeHelpers, stateOfHelpers, targetsOfHelper } from '../helpers/helpers.js';
import { hasMarks, markTargets } from '../result/result.js';
import { whyForbidden } from '../operator/rights.js';
import { aimAt, chooseTargets } from './selection.js';
import { errorOf, parentOf, podsOf, targetsOf, whyNotRunning, type ChaosError } from './targets.js';
import { tellOfExperiment } from '../result/tell.js';
import type { Injection } from './translate.js';

const MAX_ROUNDS = 1_000;

/** The chaos is over. */
interface Over {
  readonly endedAt: Millis;
}

/** Begins the chaos, or another round of it: by helpers where the experiment has some. Undefined: it goes on. */
export function inject(ground: Ground, injection: Injection, round: number): ChaosError | undefined {
  const { context, engine, experiment } = ground;
  if (HELPERS[experiment] && round === 0) {
    const targets = chooseTargets(ground);
    if ('errorCode' in targets) return targets;
    if (injection.selects === 'nodes') for (const { node } of targets) tellOfNode(ground, node);
    return createHelpers(ground, targets);
  }
  const target = HELPERS[experiment] ? targetOfHelpers(ground, injection) : aimAt(ground, injection.selects);
  if ('errorCode' in target) return target;
  if (experiment === 'pod-delete') {
    const forbidden = whyForbidden(context.client, engine, 'delete', 'pods', targetsOf(engine)[0]?.namespace);
    if (forbidden !== undefined) return errorOf('CHAOS_INJECT_ERROR', `failed to delete the target pod: ${forbidden}`);
  }
  if (injection.selects === 'pods') tellOfPods(ground);
  else if (!HELPERS[experiment]) for (const node of target.nodes ?? []) tellOfNode(ground, node);
  createFault(ground, injection, target, round);
  return undefined;
}

/** What helpers of the network say of it is in the past tense. */
function tellOfPods(ground: Ground): void {
  const isDone = HELPERS[ground.experiment]?.parts === 4;
  const words = isDone
    ? `Injected ${ground.experiment} chaos on application pods`
    : `Injecting ${ground.experiment} chaos on application pod`;
  tellOfExperiment(ground, 'ChaosInject', words, 'Normal');
}

const tellOfNode = (ground: Ground, node: string): void =>
  tellOfExperiment(ground, 'ChaosInject', `Injecting ${ground.experiment} chaos on ${node} node`, 'Normal');

/** As the helpers were told. */
function targetOfHelpers(ground: Ground, { selects }: Injection): { pods?: string[]; nodes?: string[] } {
  const helpers = helpersOf(ground);
  if (selects === 'pods') return { pods: helpers.flatMap(targetsOfHelper) };
  return { nodes: [...new Set(helpers.map(nodeOfHelper))] };
}

const nodeOfHelper = ({ spec }: ReturnType<typeof helpersOf>[number]): string =>
  spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]?.matchFields?.[0]
    ?.values?.[0] ??
  spec.nodeName ??
  '';

/** Chaos that has begun. A number: to be looked at again after so many ms; undefined: it goes on. */
export function goOn(ground: Ground, injection: Injection): Over | ChaosError | Millis | undefined {
  const faults = faultsOfRun(ground);
  const last = faults.at(-1);
  if (last?.status.phase === 'Failed') return errorOf('TARGET_SELECTION_ERROR', 'no target pods found');
  const helpers = HELPERS[ground.experiment] ? stateOfHelpers(ground, helpersOf(ground)) : 'over';
  if (typeof helpers === 'object') {
    removeFaults(ground.context, faults, false);
    removeHelpers(ground);
    return helpers;
  }
  if (typeof helpers === 'number') return helpers;
  if (!last && injection.type !== undefined) return begin(ground, injection);
  if (!last) return helpers === 'over' ? cleanUp(ground, injection, ground.context.now) : mark(ground, injection);
  if (last.status.phase !== 'Finished') return undefined;
  const endedAt = last.status.endTime === undefined ? ground.context.now : parseTimestamp(last.status.endTime);
  const began = parseTimestamp(faults[0]?.status.startTime ?? last.status.endTime ?? '');
  const next =
    injection.interval === undefined ? undefined : nextRound(ground, injection, { endedAt, began }, faults.length);
  if (next !== undefined) return next === 'injected' ? undefined : next;
  return helpers === 'over' ? cleanUp(ground, injection, endedAt) : undefined;
}

/** Its helpers run. */
function begin(ground: Ground, injection: Injection): ChaosError | undefined {
  mark(ground, injection);
  return inject(ground, injection, 1);
}

/** Pods that helpers act on are marked meanwhile; what acts without a fault begins with its helpers. */
function mark(ground: Ground, injection: Injection): undefined {
  if (hasMarks(ground.context, ground)) return undefined;
  if (injection.type === undefined && injection.selects === 'pods') tellOfPods(ground);
  const names = marksOf(ground, injection);
  markTargets(ground.context, ground, names, injection.marks === 'reverted' ? 'injected' : 'targeted');
  return undefined;
}

function marksOf(ground: Ground, injection: Injection): string[] {
  const { pods = [], nodes = [] } = targetOfHelpers(ground, injection);
  return [...pods.map((pod) => `pod/${pod.split('/')[1] ?? ''}`), ...nodes.map((node) => `node/${node}`)];
}

/** The chaos is over, and what it was done with may go. */
function cleanUp(ground: Ground, injection: Injection, endedAt: Millis): Over {
  if (HELPERS[ground.experiment]) {
    const names = marksOf(ground, injection);
    if (names.length > 0) markTargets(ground.context, ground, names, injection.marks);
    removeHelpers(ground);
  }
  return { endedAt };
}

/** Undefined: there is none. A number: the application has not come back yet. */
function nextRound(
  ground: Ground,
  injection: Injection,
  { endedAt, began }: { readonly endedAt: Millis; readonly began: Millis },
  rounds: number,
): 'injected' | ChaosError | Millis | undefined {
  const { context, engine, env, experiment } = ground;
  const wrong = whyNotRunning(context.client, engine);
  if (wrong && context.now - endedAt < checkTimeoutOf(env)) return checkDelayOf(env);
  if (wrong) return wrong;
  const isLeft = context.now - began < durationOf(experiment, env) * SECOND && rounds < MAX_ROUNDS;
  return isLeft ? (inject(ground, injection, rounds + 1) ?? 'injected') : undefined;
}

/** What a result names as the targets, where no helper has marked them; pod-delete names what has made the pods. */
export function namesOfTargets(
  ground: Ground,
  { marks }: Injection,
): readonly { readonly chaosStatus: string; readonly kind: string; readonly name: string }[] {
  const { context, engine, experiment } = ground;
  if (HELPERS[experiment]) return [];
  if (experiment !== 'pod-delete') {
    const names = [...new Set(faultsOfRun(ground).flatMap(({ status }) => status.targets ?? []))];
    return names.map((name) => ({
      ...{ chaosStatus: marks, kind: name.split('/')[0] ?? '', name: name.split('/').at(-1) ?? '' },
    }));
  }
  const pods = targetsOf(engine).flatMap((target) => podsOf(context.client, target));
  const parents = pods.flatMap((pod) => parentOf(context.client, pod) ?? []);
  return [...new Map(parents.map((one) => [`${one.kind}/${one.name}`, one])).values()].map((one) => ({
    ...{ chaosStatus: marks, ...one },
  }));
}
