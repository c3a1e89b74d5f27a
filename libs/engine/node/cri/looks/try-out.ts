import type { LoadedMachine } from '../pods/loaded-machine.js';
import type { PodView } from '../pods/pod-view.js';
import { SLICE_STEPS, type BoundedMachine } from './bounded-machine.js';
import type { Trial } from './trial.js';
import type { Turns } from './turns.js';

/** Of one machine; those that are given up are forgotten with others. */
const MAX_TRIALS = 8;

/** What a trial needs of the machines of a cluster. */
interface Copies {
  readonly turns: Turns;
  mustFinish(turn: string): boolean;
  copyOf(view: PodView, loaded: LoadedMachine): BoundedMachine;
}

interface TrialEnd<T> {
  readonly result: T;
  /** It has asked for names, or connected to others: what they do is not known from the pod alone. */
  readonly asksOthers: boolean;
}

/**
 * What comes of something in a copy of a machine; `key`: what it is, for the next slice of it. Throws UnfinishedWork
 * when that takes long.
 */
export function tryOut<T>(
  copies: Copies,
  view: PodView,
  loaded: LoadedMachine,
  key: string,
  begin: (copy: BoundedMachine) => Trial<T>,
): TrialEnd<T> {
  const { trials, hasContacts } = loaded;
  const turn = `${view.pod.metadata.uid ?? ''} ${key}`;
  let trial = trials.get(key) as Trial<T> | undefined;
  // A copy that fails is not used again.
  trials.delete(key);
  trial ??= begin(copies.copyOf(view, loaded));
  trial.copy.allow(copies.mustFinish(turn) ? Infinity : SLICE_STEPS);
  loaded.hasContacts = false;
  const outcome = trial.proceed();
  trial.asksOthers = trial.asksOthers || loaded.hasContacts;
  loaded.hasContacts = hasContacts || loaded.hasContacts;
  if (outcome) {
    copies.turns.finish(turn);
    return { result: outcome.result, asksOthers: trial.asksOthers };
  }
  if (trials.size >= MAX_TRIALS) trials.clear();
  trials.set(key, trial);
  throw copies.turns.leave(turn);
}
