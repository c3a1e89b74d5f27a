import { Faults } from '../../kinds/index.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import type { Key } from '../../machinery/meta/object.js';
import { keyOf } from '../../machinery/meta/object.js';
import { timestamp } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Context } from '../../runtime/controller.js';
import { writeCustomStatus } from '../custom-status.js';
import {
  API_VERSION,
  ChaosEngines,
  ChaosExperiments,
  ChaosResults,
  type ChaosEngine,
  type ChaosResult,
  type EngineExperiment,
} from './objects.js';
import { translateExperiment } from './translate.js';

const ENGINE = 'terrarium.dev/litmus';
const FINALIZER = 'chaosengine.litmuschaos.io/finalizer';
const MAX_EXPERIMENTS = 20;

/**
 * Understands ChaosEngines of LitmusChaos, once its CRDs are applied: pod-delete, pod-network-loss, container-kill and
 * node-drain are Faults, and a ChaosResult tells of each. Models litmuschaos/chaos-operator. Left out: probes, runner
 * and helper pods, and all other experiments.
 */
export const controller = defineController<Fault>({
  name: 'litmus',
  component: 'terrarium',
  actor: 'system:serviceaccount:litmus:litmus',
  eventSource: 'chaos-operator',
  for: {
    kind: Faults,
    keys: ({ metadata }) => {
      const [namespace, name] = (metadata.annotations?.[ENGINE] ?? '').split('/');
      return namespace && name ? [{ namespace, name }] : NO_KEYS;
    },
  },
  watches: [watch<ChaosEngine>({ kind: ChaosEngines })],
  reconcile(context, key): void {
    const engine = context.client.get(ChaosEngines, key);
    if (!engine) return;
    const experiments = (engine.spec?.experiments ?? []).slice(0, MAX_EXPERIMENTS);
    const isStopped = engine.metadata.deletionTimestamp !== undefined || engine.spec?.engineState === 'stop';
    if (isStopped) stop(context, engine, experiments);
    else run(context, engine, experiments);
  },
});

const faultKey = ({ metadata }: ChaosEngine, { name }: EngineExperiment): Key => ({
  namespace: '',
  name: `litmus.${metadata.namespace}.${metadata.name}.${name}`,
});

function run(context: Context, engine: ChaosEngine, experiments: readonly EngineExperiment[]): void {
  const held = setFinalizer(context, engine, true);
  const states = experiments.map((experiment) => ({ experiment, ...runExperiment(context, held, experiment) }));
  const isOver = states.every(({ phase }) => phase !== 'Running');
  for (const { experiment, phase, verdict } of states) report(context, held, experiment, phase, verdict);
  const stored = context.client.get(ChaosEngines, keyOf(held)) ?? held;
  const known = new Map((stored.status?.experiments ?? []).map((one) => [one['name'], one]));
  writeCustomStatus(context, ChaosEngines, stored, {
    engineStatus: isOver ? 'completed' : 'initialized',
    experiments: states.map(({ experiment: { name }, phase, verdict }) => {
      const before = known.get(name);
      const isSame = before?.['status'] === phase && before['verdict'] === verdict;
      const lastUpdateTime = isSame ? before['lastUpdateTime']! : timestamp(context.now);
      return {
        name,
        runner: `${engine.metadata.name}-runner`,
        experimentPod: '',
        status: phase,
        verdict,
        lastUpdateTime,
      };
    }),
  });
}

interface ExperimentState {
  readonly phase: string;
  readonly verdict: string;
}

function runExperiment({ client }: Context, engine: ChaosEngine, experiment: EngineExperiment): ExperimentState {
  const key = faultKey(engine, experiment);
  const fault = client.get(Faults, key);
  if (fault) return stateOf(fault);
  const namespace = engine.metadata.namespace ?? '';
  if (!client.get(ChaosExperiments, { namespace, name: experiment.name }))
    return { phase: 'ChaosExperiment Not Found', verdict: 'Fail' };
  const spec = translateExperiment(engine, experiment);
  if (!spec) return { phase: 'Experiment Not Simulated', verdict: 'Error' };
  client.create(Faults, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Fault',
    metadata: { name: key.name, annotations: { [ENGINE]: `${namespace}/${engine.metadata.name}` } },
    spec,
    status: {},
  });
  return { phase: 'Running', verdict: 'Awaited' };
}

function stateOf({ status }: Fault): ExperimentState {
  if (status.phase === 'Finished') return { phase: 'Completed', verdict: 'Pass' };
  return status.phase === 'Failed' ? { phase: 'Completed', verdict: 'Fail' } : { phase: 'Running', verdict: 'Awaited' };
}

/** Models litmus-go's pkg/result. */
function report(
  context: Context,
  { metadata }: ChaosEngine,
  { name }: EngineExperiment,
  phase: string,
  verdict: string,
): void {
  const { client } = context;
  const key = { namespace: metadata.namespace ?? '', name: `${metadata.name}-${name}` };
  const made: ChaosResult = {
    apiVersion: API_VERSION,
    kind: 'ChaosResult',
    metadata: { ...key, labels: { chaosUID: metadata.uid ?? '', 'app.kubernetes.io/part-of': 'litmus' } },
    spec: { engine: metadata.name, experiment: name },
  };
  const result = client.get(ChaosResults, key) ?? client.create(ChaosResults, made);
  const isPassed = verdict === 'Pass';
  writeCustomStatus(context, ChaosResults, result, {
    experimentStatus: {
      phase: phase === 'Running' ? 'Running' : 'Completed',
      verdict,
      ...(verdict === 'Awaited' ? { probeSuccessPercentage: 'Awaited' } : {}),
      ...(isPassed ? { probeSuccessPercentage: '100' } : {}),
      ...(verdict === 'Fail' || verdict === 'Error' ? { failStep: phase } : {}),
    },
    history: { passedRuns: isPassed ? 1 : 0, failedRuns: verdict === 'Fail' ? 1 : 0, stoppedRuns: 0 },
  });
}

/** An engine that is stopped or deleted recovers. */
function stop(context: Context, engine: ChaosEngine, experiments: readonly EngineExperiment[]): void {
  const { client } = context;
  for (const experiment of experiments) {
    const key = faultKey(engine, experiment);
    if (client.get(Faults, key)) client.delete(Faults, key);
  }
  const left = setFinalizer(context, engine, false);
  if (!engine.metadata.deletionTimestamp)
    writeCustomStatus(context, ChaosEngines, left, { ...left.status, engineStatus: 'stopped' });
}

function setFinalizer({ client }: Context, engine: ChaosEngine, isHeld: boolean): ChaosEngine {
  const finalizers = engine.metadata.finalizers ?? [];
  if (finalizers.includes(FINALIZER) === isHeld) return engine;
  const next = isHeld ? [...finalizers, FINALIZER] : finalizers.filter((one) => one !== FINALIZER);
  return client.update(ChaosEngines, { ...engine, metadata: { ...engine.metadata, finalizers: next } });
}
