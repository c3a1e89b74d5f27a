import type { Pod } from '../../api/core_v1.js';
import { Faults, Pods } from '../../kinds/index.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import type { Key } from '../../machinery/meta/object.js';
import type { Reader } from '../../machinery/reader.js';
import { defineController, NO_KEYS, watch, type Result } from '../../runtime/controller.js';
import { ENGINE } from './chaos/faults.js';
import { ChaosEngines, ChaosResults, type ChaosEngine, type ChaosResult } from './objects.js';
import { cleanUp, keepRunning, start, stop } from './operator/operator.js';

/**
 * Runs ChaosEngines of LitmusChaos, once its CRDs are applied: the operator, the runner and the experiments, one after
 * another, decide here; their pods do what is done in containers (libs/containers/tools/litmus), and Faults the chaos.
 * Models litmuschaos/chaos-operator, chaos-runner and litmus-go. Left out: sidecars, ramp times, serial mode,
 * promProbes, and experiments that translate.ts does not name.
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
  watches: [
    watch<ChaosEngine>({ kind: ChaosEngines }),
    watch<ChaosResult>({ kind: ChaosResults, keys: ({ metadata, spec }) => keysOf(metadata.namespace, spec?.engine) }),
    watch<Pod>({
      kind: Pods,
      keys: ({ metadata }, read) => {
        const uid = metadata.labels?.['chaosUID'];
        return uid === undefined ? NO_KEYS : enginesOf(read, metadata.namespace, uid);
      },
    }),
  ],
  reconcile(context, key): Result | void {
    const engine = context.client.get(ChaosEngines, key);
    if (!engine) return undefined;
    const state = engine.spec?.engineState || 'active';
    const { engineStatus } = engine.status ?? {};
    if (engine.metadata.deletionTimestamp) return stop(context, engine);
    if (state !== 'stop') return engineStatus === 'initialized' ? keepRunning(context, engine) : start(context, engine);
    if (engineStatus === 'initialized') return stop(context, engine);
    return engineStatus === 'completed' ? cleanUp(context, engine) : undefined;
  },
});

const keysOf = (namespace = '', name = ''): readonly Key[] => (name === '' ? NO_KEYS : [{ namespace, name }]);

const enginesOf = (read: Reader, namespace = '', uid: string): readonly Key[] =>
  read
    .list(ChaosEngines, namespace)
    .filter(({ metadata }) => metadata.uid === uid)
    .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
