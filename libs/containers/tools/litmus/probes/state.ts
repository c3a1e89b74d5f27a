import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { Probe, ProbeError } from './types.js';

/** What the program knows of one probe. */
export type ProbeState = {
  verdict: string;
  description: string;
  /** Of a probe that is repeated: what has ended it; null: nothing yet. */
  error: ProbeError | null;
  /** It is repeated, next at this time; null: it is not. */
  nextAt: number | null;
  /** Until then; null: until the chaos is over. */
  endAt: number | null;
  /** stopOnFailure has stopped all. */
  isStopped: boolean;
  /** What its command has printed last, for templates of others. */
  register: string;
  /** The pod that its command runs in; '' without one. */
  pod: string;
};

export type Stage = 'begun' | 'PreChaos' | 'DuringChaos' | 'PostChaos';

/** All that an experiment's program knows. */
export type State = {
  /** As the controller has said it last. */
  phase: string;
  stage: Stage;
  /** Probes that are still to be run in this stage, by their places. */
  queue: number[];
  /** Their verdicts are to be told when the queue is empty. */
  owesReport: boolean;
  probes: Probe[];
  states: ProbeState[];
  /** When the result is looked at next. */
  pollAt: number;
  /** When the chaos ought to be over. */
  expectedAt: number;
};

export const asPlain = (value: object): Plain => value as unknown as Plain;
export const asState = (data: Plain): State => data as unknown as State;

export const newProbeState = (): ProbeState => ({
  ...{ verdict: 'Awaited', description: '', error: null, nextAt: null, endAt: null },
  ...{ isStopped: false, register: '', pod: '' },
});

/** The same with another state of one probe. */
export const withProbe = (state: State, at: number, change: Partial<ProbeState>): State => ({
  ...state,
  states: state.states.map((one, i) => (i === at ? { ...one, ...change } : one)),
});

export const modeOf = ({ mode }: Probe): string => mode.toLowerCase();

/** `{{ .name.ProbeArtifacts.Register }}` is what that probe has printed. Models parseCommand. */
export function fillIn(text: string, { probes, states }: State): string {
  return text.replace(/\{\{\s*\.([\w-]+)\.ProbeArtifacts\.Register\s*\}\}/g, (whole, name: string) => {
    const at = probes.findIndex((probe) => probe.name === name);
    return at < 0 ? whole : (states[at]?.register ?? '');
  });
}
