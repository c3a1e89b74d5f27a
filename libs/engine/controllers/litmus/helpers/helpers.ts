import type { Container, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import { ApiError } from '../../../machinery/meta/status.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import type { Context } from '../../../runtime/controller.js';
import { deleteAll } from '../../delete-all.js';
import { checkTimeoutOf, numberOf, type Env } from '../env.js';
import { amountOf, addressOf } from './hog-amounts.js';
import type { HelperSpec } from './helper-spec.js';
import { durationOf, HELPERS } from './helper-specs.js';
import type { ChaosEngine } from '../objects.js';
import { whyForbidden } from '../operator/rights.js';
import { errorOf, type ChaosError } from '../chaos/targets.js';

const RUN_ID = 6;
const DEFAULT_IMAGE = 'litmuschaos/go-runner:latest';
/** They are the Job's own, not the helper's. */
const JOB_LABELS = ['job-name', 'controller-uid'];

/** The experiment that helpers are of. */
export interface HelperGround {
  readonly context: Context;
  readonly engine: ChaosEngine;
  readonly experiment: string;
  readonly env: Env;
  /** The experiment's pod. */
  readonly pod: string;
}

/** What a helper acts on, as TARGETS has it: pods of its node, or the node. */
export interface HelperTarget {
  readonly node: string;
  readonly pods: readonly Pod[];
}

/** The helpers of an engine's experiment. */
export const helpersOf = ({ context, engine: { metadata }, experiment }: HelperGround): Pod[] =>
  context.client
    .list(Pods, metadata.namespace)
    .filter(
      (pod) =>
        pod.metadata.labels?.['chaosUID'] === metadata.uid &&
        pod.metadata.labels?.['app']?.startsWith(`${experiment}-helper-`) === true,
    );

/** Creates a helper for each node. Undefined: they are there. Models createHelperPod and SetHelperData of litmus-go. */
export function createHelpers(ground: HelperGround, targets: readonly HelperTarget[]): ChaosError | undefined {
  const { context, engine, experiment } = ground;
  const spec = HELPERS[experiment]!;
  const own = context.client.get(Pods, { namespace: engine.metadata.namespace ?? '', name: ground.pod });
  const runId = context.random.suffix(RUN_ID);
  const forbidden = whyForbidden(context.client, engine, 'create', 'pods');
  if (forbidden !== undefined) return cannotCreate(forbidden);
  for (const target of targets) {
    const amount = amountOf(context.client, experiment, target.node, ground.env);
    if (typeof amount !== 'string') return amount;
    try {
      context.client.create(Pods, makeHelper(ground, spec, { target, own, runId, amount }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return cannotCreate(error.message);
    }
  }
  return undefined;
}

const cannotCreate = (why: string): ChaosError => errorOf('GENERIC_ERROR', `unable to create helper pod: ${why}`);

interface Making {
  readonly target: HelperTarget;
  readonly own: Pod | undefined;
  readonly runId: string;
  readonly amount: string;
}

function makeHelper(ground: HelperGround, spec: HelperSpec, { target, own, runId, amount }: Making): Pod {
  const { context, engine, experiment, env } = ground;
  const address = addressOf(context.client, target.node, env);
  const given = { engine, experiment, env, runId, amount, address, targets: describe(target, spec, env) };
  const seconds = durationOf(experiment, env);
  const inherits = env.get('SET_HELPER_DATA') !== 'false';
  const prefix = `${experiment}-helper-`;
  const suffix = spec.ofPods ? context.random.suffix(RUN_ID) : runId;
  const container = {
    name: experiment,
    image: env.get('LIB_IMAGE') || spec.image || DEFAULT_IMAGE,
    imagePullPolicy: env.get('LIB_IMAGE_PULL_POLICY') || 'Always',
    ...(inherits ? pick(own?.spec.containers[0], 'resources') : {}),
    ...spec.container({ ...given, seconds }),
  };
  const tolerations = spec.tolerations?.(seconds) ?? (inherits && spec.ofPods ? own?.spec.tolerations : undefined);
  const volumes = spec.volumes?.({ ...given, seconds });
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...(spec.isNamed ? { name: prefix + suffix } : { generateName: prefix }),
      namespace: engine.metadata.namespace,
      labels: { ...helperLabels(own, engine), app: prefix + runId },
      ...(inherits && own?.metadata.annotations ? { annotations: own.metadata.annotations } : {}),
    },
    spec: {
      ...{ restartPolicy: 'Never', containers: [container] },
      terminationGracePeriodSeconds: numberOf(env, 'TERMINATION_GRACE_PERIOD_SECONDS', 0),
      ...(spec.hostPID ? { hostPID: true } : {}),
      ...(spec.ofPods ? { serviceAccountName: engine.spec?.chaosServiceAccount } : {}),
      ...(spec.isElsewhere ? { affinity: awayFrom(target.node) } : { nodeName: target.node }),
      ...(inherits ? pick(own?.spec, 'imagePullSecrets') : {}),
      ...(tolerations ? { tolerations } : {}),
      ...(volumes ? { volumes } : {}),
    },
  } as unknown as Pod;
}

const pick = <T extends object, K extends keyof T>(from: T | undefined, name: K): Partial<T> =>
  from?.[name] === undefined ? {} : ({ [name]: from[name] } as unknown as Partial<T>);

const helperLabels = (own: Pod | undefined, { metadata }: ChaosEngine): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(own?.metadata.labels ?? {}).filter(([name]) => !JOB_LABELS.some((one) => name.endsWith(one))),
  ),
  chaosUID: metadata.uid ?? '',
});

function awayFrom(node: string): object {
  const matchFields = [{ key: 'metadata.name', operator: 'NotIn', values: [node] }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } },
  };
}

/** 'web-1:default:nginx;…'. */
const describe = ({ pods }: HelperTarget, { parts }: HelperSpec, env: Env): string =>
  pods
    .map(({ metadata, spec }) => {
      const container = env.get('TARGET_CONTAINER') || spec.containers[0]?.name;
      return `${metadata.name}:${metadata.namespace}:${container}${parts === 4 ? ':false' : ''}`;
    })
    .join(';');

/** 'default/web-1' of the pods that a helper acts on. */
export const targetsOfHelper = ({ spec }: Pod): string[] =>
  (envOfContainer(spec.containers[0]).get('TARGETS') ?? '')
    .split(';')
    .filter(Boolean)
    .map((one) => one.split(':'))
    .map(([name = '', namespace = '']) => `${namespace}/${name}`);

const envOfContainer = (container: Container | undefined): Env =>
  new Map((container?.env ?? []).map(({ name, value = '' }) => [name, value]));

/** How helpers do, as one: each of them has begun; all are over; or why the experiment fails. A number: ms to wait. */
export type HelperState = 'running' | 'over' | ChaosError | Millis;

/** Models status.CheckHelperStatus and WaitForCompletion. */
export function stateOfHelpers(ground: HelperGround, pods: readonly Pod[]): HelperState {
  const { context, engine, env, experiment } = ground;
  const label = `{podLabel: app=${experiment}-helper, namespace: ${engine.metadata.namespace}}`;
  if (pods.length === 0) return errorOf('STATUS_CHECKS_ERROR', 'no pod with matching label', label);
  const failed = pods.find(({ status }) => status.phase === 'Failed');
  if (failed) return helperFailed(ground, label);
  const pending = pods.find(({ status }) => (status.phase ?? 'Pending') === 'Pending');
  if (!pending) return pods.every(({ status }) => status.phase === 'Succeeded') ? 'over' : 'running';
  const since = parseTimestamp(pending.metadata.creationTimestamp ?? '');
  const left = since + checkTimeoutOf(env) - context.now;
  if (left > 0) return left;
  const target = `{podName: ${pending.metadata.name}, namespace: ${pending.metadata.namespace}}`;
  return errorOf('STATUS_CHECKS_ERROR', 'helper pod is in Pending state', target);
}

/** What a helper of pods says of itself stands in the result already. Models HelperFailedError. */
const helperFailed = ({ experiment }: HelperGround, label: string): ChaosError =>
  errorOf(HELPERS[experiment]?.ofPods ? 'HELPER_POD_FAILED_ERROR' : 'GENERIC_ERROR', 'helper pod failed', label);

/** Models DeleteAllHelperPodBasedOnJobCleanupPolicy. `isForced`: the chaos itself is to end. */
export function removeHelpers(ground: HelperGround, isForced = false): void {
  if (isForced || ground.engine.spec?.jobCleanUpPolicy === 'delete')
    deleteAll(ground.context.client, Pods, helpersOf(ground));
}
