import type { Target } from '../../../faults/index.js';
import { Faults } from '../../../kinds/index.js';
import type { Fault } from '../../../kinds/terrarium/fault/kind.js';
import type { Context } from '../../../runtime/controller.js';
import type { Ground } from '../ground.js';
import { durationOf } from '../helpers/helper-specs.js';
import type { ChaosEngine } from '../objects.js';
import type { Injection } from './translate.js';

export const ENGINE = 'terrarium.dev/litmus';
/** The experiment's pod. */
const POD = 'terrarium.dev/litmus-pod';

/** The faults of an engine's experiments, the first ones first. */
export const faultsOf = ({ client }: Context, { metadata }: ChaosEngine): Fault[] =>
  client
    .list(Faults)
    .filter((fault) => fault.metadata.annotations?.[ENGINE] === `${metadata.namespace}/${metadata.name}`)
    .sort((a, b) => roundOf(a) - roundOf(b));
const roundOf = ({ metadata }: Fault): number => Number(metadata.name?.split('.').at(-1) ?? 0);

/** Those of one run of an experiment. */
export const faultsOfRun = ({ context, engine, pod }: Ground): Fault[] =>
  faultsOf(context, engine).filter(({ metadata }) => metadata.annotations?.[POD] === pod);

export function createFault(ground: Ground, injection: Injection, target: Target, round: number): void {
  const { context, engine, pod, env, experiment } = ground;
  const { namespace, name } = engine.metadata;
  context.client.create(Faults, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Fault',
    metadata: {
      name: `litmus.${namespace}.${pod}.${round}`,
      annotations: { [ENGINE]: `${namespace}/${name}`, [POD]: pod },
    },
    spec: {
      ...{ type: injection.type ?? '', target: { ...target, ...injection.lists } },
      duration: `${injection.interval ?? durationOf(experiment, env)}s`,
      ...(injection.delay ? { start: `${injection.delay}s` } : {}),
      ...(injection.parameters ? { parameters: injection.parameters } : {}),
    },
    status: {},
  });
}

/** What has begun ends now; of an engine that goes nothing is left. */
export function removeFaults({ client }: Context, faults: readonly Fault[], isAll: boolean): void {
  for (const { metadata, status } of faults)
    if (isAll || status.phase !== 'Finished') client.delete(Faults, { namespace: '', name: metadata.name ?? '' });
}
