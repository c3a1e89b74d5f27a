import type { Context } from '../../runtime/controller.js';
import { createEvent } from '../plain-event.js';
import type { ChaosEngine } from './objects.js';

type Words = (experiment: string, job: string, engine: ChaosEngine) => string;

const WORDS = {
  ExperimentDependencyCheck: (experiment) => `Experiment resources validated for Chaos Experiment: ${experiment}`,
  ExperimentJobCreate: (experiment, job) => `Experiment Job ${job} for Chaos Experiment: ${experiment}`,
  ExperimentJobCleanUp: (_, job, { spec }) =>
    spec?.jobCleanUpPolicy === 'delete'
      ? `Experiment Job: ${job} will be deleted`
      : `Experiment Job ${job} will be retained`,
  ExperimentNotFound: (experiment) => `Experiment Job creation failed, skipping Chaos Experiment: ${experiment}`,
} as const satisfies Record<string, Words>;

/** What the runner says of an experiment. Models chaos-runner/pkg/utils/event.go. */
export function tellOfRunner(
  context: Context,
  engine: ChaosEngine,
  experiment: string,
  reason: keyof typeof WORDS,
  job: string,
): void {
  const words: Words = WORDS[reason];
  createEvent(context, engine, {
    name: `${reason}${experiment}${engine.metadata.uid ?? ''}`,
    component: `${engine.metadata.name}-runner`,
    type: reason === 'ExperimentNotFound' ? 'Warning' : 'Normal',
    reason,
    message: words(experiment, job, engine),
  });
}
