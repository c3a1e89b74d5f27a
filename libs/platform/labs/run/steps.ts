import { API_VERSION, stepName, type Lab, type LabStep } from '../lab-file.js';
import type { LabCluster } from './lab-cluster.js';
import type { ScriptResult } from './script.js';

const SECOND_MS = 1_000;
/** Virtual ms that a learner's own script may take. */
const SCRIPT_MS = 30 * 60_000;
/** That a script may take that looks at what was done: some look for half a minute whether it lasts. */
export const VERIFY_MS = 45_000;
/** Virtual ms between two looks at whether a solution shows: soon at first, then less and less often. */
const FIRST_LOOK_MS = SECOND_MS;
const LAST_LOOK_MS = 30 * SECOND_MS;

/** What is known of a check of the cluster. */
export interface CheckState {
  readonly name: string;
  readonly phase: string;
  readonly score: number;
  readonly points: number;
  readonly message: string;
}

/** The checks of a lab as its cluster shows them. */
export function readChecks(cluster: LabCluster): CheckState[] {
  const { body } = cluster.call('GET', `/apis/${API_VERSION}/checks`);
  const { items = [] } = body as { items?: readonly CheckObject[] };
  return items.map(checkOf);
}

/** A Check of terrarium.dev, as its cluster shows it. */
export interface CheckObject {
  readonly metadata: { readonly name: string };
  readonly status?: Partial<Omit<CheckState, 'name'>>;
}

export const checkOf = ({ metadata, status = {} }: CheckObject): CheckState => ({
  name: metadata.name,
  phase: status.phase ?? 'Pending',
  score: status.score ?? 0,
  points: status.points ?? 0,
  message: status.message ?? '',
});

/** A step begins: its scripts run, which end, or go on, as they like. */
export function enterStep(cluster: LabCluster, step: LabStep): ScriptResult[] {
  return [step.background, step.foreground].flatMap((script) =>
    script === undefined ? [] : [cluster.runHere(script, SCRIPT_MS)],
  );
}

export const runSolution = (cluster: LabCluster, script: string): ScriptResult => cluster.runHere(script, SCRIPT_MS);

/** Undefined: the step has nothing to run. */
export const verifyStep = (cluster: LabCluster, { verify }: LabStep): ScriptResult | undefined =>
  verify === undefined ? undefined : cluster.runHere(verify, VERIFY_MS);

/** Lets time go by until it holds; false when it does not within so many virtual ms. */
export function waitUntil(cluster: LabCluster, ms: number, holds: () => boolean): boolean {
  const end = cluster.now + ms;
  for (let look = FIRST_LOOK_MS; ; look = Math.min(look * 2, LAST_LOOK_MS)) {
    if (holds()) return true;
    if (cluster.now >= end) return false;
    cluster.advance(look);
  }
}

/** What asks for something: each step's script, and each check. */
export const namesOfTests = ({ spec }: Lab): string[] => [
  ...spec.steps.flatMap((step, i) => (step.verify === undefined ? [] : [`verify ${stepName(step, i)}`])),
  ...spec.checks.map(({ name }) => `check ${name}`),
];
