import type { Millis } from '../machinery/time/time.js';
import type { Effect, Ends } from './effect.js';
import type { PodScope } from './scope.js';
import type { NameList, Target } from './target.js';
import type { Parameters, Values } from './values.js';

/** What a fault of some type acts on, chosen and read. */
export interface Given {
  /** Names of the chosen nodes, of types that select nodes. */
  readonly nodes: readonly string[];
  /** The chosen pods, of types that select pods. */
  readonly scope: PodScope;
  /** 'NAMESPACE/NAME' of the pods that were chosen when the fault began. */
  readonly pods: readonly string[];
  /** The other end, when one is named. */
  readonly to?: Ends;
  readonly target: Target;
  readonly values: Values;
  readonly seed: number;
}

export interface KnownNames {
  /** For the message. */
  readonly names: readonly string[];
  isKnown(name: string): boolean;
}

/** A type of fault: what it takes, and what it does. Pure data; components act on the effects. */
export interface FaultType {
  /** As spec.type names it: 'NodeDown'. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** What one sees, by kubectl. */
  readonly symptoms: string;
  /** What its target selects: one of these has to be named. 'cluster': nothing. */
  readonly selects: 'nodes' | 'pods' | 'cluster';
  /** It acts on everything when nothing is selected. */
  readonly isOptional?: boolean;
  /** Lists of names that it looks at. */
  readonly lists?: readonly NameList[];
  /** Lists of which at least one name has to be given. */
  readonly needs?: readonly NameList[];
  /** Of lists whose names are known beforehand: those that may be given. */
  readonly knows?: Partial<Record<NameList, KnownNames>>;
  /** Whether it has another end. */
  readonly hasPeer?: boolean;
  readonly parameters?: Parameters;
  effects(given: Given): readonly Effect[];
  /** How long it lasts by itself, when its spec has no duration. */
  lasts?(values: Values): Millis;
}

export const defineFault = (type: FaultType): FaultType => type;
