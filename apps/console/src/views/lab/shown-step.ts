import type { LabView } from '../../api/labs.generated.js';

/** Which step is shown: the one that the address names, else the first that is not done, at the end the last. */
export function shownStep({ steps, step }: Pick<LabView, 'steps' | 'step'>, chosen: string): number {
  const named = steps.findIndex(({ name }) => name === chosen);
  return named >= 0 ? named : Math.min(step, steps.length) - 1;
}
