import { stepName, type LabSpec, type LabStep } from './lab-file.js';
import type { CheckState } from './run/steps.js';

const PASSED = 'Passed';

/** Where in a lab somebody stands. */
export interface PlaceInLab {
  /** The first step that is not done, from 1; one more than there are at the end. */
  readonly step: number;
  readonly steps: number;
  /** Names of the steps that are done. */
  readonly done: string[];
}

/**
 * A step is done when its script has once succeeded and its checks have passed; one that asks for nothing is done with
 * the next one that is.
 */
export function placeOf({ steps }: LabSpec, verified: ReadonlySet<string>, checks: readonly CheckState[]): PlaceInLab {
  const isDone = steps.map((step, i) => asksFor(step) && isStepDone(step, stepName(step, i), verified, checks));
  const last = isDone.lastIndexOf(true);
  for (const [i, step] of steps.entries()) if (i < last && !asksFor(step)) isDone[i] = true;
  const first = isDone.indexOf(false);
  return {
    step: first < 0 ? steps.length + 1 : first + 1,
    steps: steps.length,
    done: steps.flatMap((step, i) => (isDone[i] ? [stepName(step, i)] : [])),
  };
}

/** Something says whether it is done. */
export const asksFor = ({ verify, checks }: LabStep): boolean => verify !== undefined || checks.length > 0;

function isStepDone(
  { verify, checks: asked }: LabStep,
  name: string,
  verified: ReadonlySet<string>,
  checks: readonly CheckState[],
): boolean {
  if (verify !== undefined && !verified.has(name)) return false;
  return asked.every((one) => checks.find((check) => check.name === one)?.phase === PASSED);
}
