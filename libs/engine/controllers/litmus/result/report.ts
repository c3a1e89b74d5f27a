import type { ProbeVerdict } from '../objects.js';

/**
 * How this controller and an experiment's program speak with one another: annotations of the ChaosResult. The program
 * writes which pod it is, and what its probes have found; the controller writes how far the chaos has come. Helpers
 * write why they have failed. Nothing of it stays when the experiment is over.
 */
export const POD = 'terrarium.dev/litmus-pod';
export const PHASE = 'terrarium.dev/litmus-phase';
export const PROBES = 'terrarium.dev/litmus-probes';
export const HELPER = 'terrarium.dev/litmus-helper';
/** When the chaos was over. */
export const ENDED = 'terrarium.dev/litmus-ended';

/**
 * `Starting`: nothing is checked yet; `Settled`: the chaos is over, and the application comes back; `Over`: there is a
 * verdict, and the program may end.
 */
export type Phase = 'Starting' | 'PreChaos' | 'DuringChaos' | 'Settled' | 'PostChaos' | 'Over';

/** More of them are not run. */
export const MAX_PROBES = 50;
const MAX_TEXT = 4_096;

export interface Report {
  /** Which phase's probes it tells of. */
  readonly phase: string;
  /** By their place in the engine. */
  readonly probes: readonly ProbeVerdict[];
  /** As JSON: why the experiment cannot go on. */
  readonly error?: string;
  /** A probe with stopOnFailure has failed. */
  readonly isStopped?: boolean;
}

/** What a program has written; undefined: nothing that could be read. */
export function parseReport(text: string | undefined): Report | undefined {
  if (text === undefined) return undefined;
  const { phase, probes, error, isStopped } = readObject(text);
  if (typeof phase !== 'string' || !Array.isArray(probes)) return undefined;
  return {
    phase,
    probes: probes.slice(0, MAX_PROBES).map(readVerdict),
    ...(typeof error === 'string' ? { error: error.slice(0, MAX_TEXT) } : {}),
    ...(isStopped === true ? { isStopped } : {}),
  };
}

function readVerdict(value: unknown): ProbeVerdict {
  const { verdict, description } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return {
    verdict: typeof verdict === 'string' ? verdict : 'Awaited',
    ...(typeof description === 'string' && description !== '' ? { description: description.slice(0, MAX_TEXT) } : {}),
  };
}

/** The code of an error that is told as JSON. */
export function codeOf(error: string): string {
  const { errorCode } = readObject(error);
  return typeof errorCode === 'string' ? errorCode : 'GENERIC_ERROR';
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
