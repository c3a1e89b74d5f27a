import type { Context } from '../../../runtime/controller.js';
import { createEvent } from '../../plain-event.js';
import type { ChaosEngine } from '../objects.js';
import { runnerNameOf } from './runner-pod.js';

type Words = (experiment: string, job: string, engine: ChaosEngine) => string;

const skipping: Words = (experiment) => `Experiment Job creation failed, skipping Chaos Experiment: ${experiment}`;

const WORDS = {
  ExperimentDependencyCheck: (experiment) => `Experiment resources validated for Chaos Experiment: ${experiment}`,
  ExperimentJobCreate: (experiment, job) => `Experiment Job ${job} for Chaos Experiment: ${experiment}`,
  ExperimentJobCleanUp: (_, job, { spec }) =>
    spec?.jobCleanUpPolicy === 'delete'
      ? `Experiment Job: ${job} will be deleted`
      : `Experiment Job ${job} will be retained`,
  ExperimentNotFound: skipping,
  ChaosContainerWatchNotPermitted: skipping,
} as const satisfies Record<string, Words>;

export type RunnerReason = keyof typeof WORDS;

/**
 * What the runner says of an experiment; `isSkipped`: that it does not run it. Models chaos-runner/pkg/utils/event.go.
 */
export function tellOfRunner(
  context: Context,
  engine: ChaosEngine,
  experiment: string,
  reason: RunnerReason,
  job: string,
  isSkipped = false,
): void {
  const words: Words = isSkipped ? skipping : WORDS[reason];
  createEvent(context, engine, {
    name: `${reason}${experiment}${engine.metadata.uid ?? ''}`,
    component: runnerNameOf(engine),
    type: words === skipping ? 'Warning' : 'Normal',
    reason,
    message: words(experiment, job, engine),
  });
}
