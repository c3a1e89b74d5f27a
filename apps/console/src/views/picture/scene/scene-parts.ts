import type { Mode } from '../model/groups.js';
import type { Size } from './pack.js';
import type { Thing } from '../model/world.js';

/** A box of the picture, in the picture's own units: a CSS pixel when it is not zoomed. */
export interface Box extends Size {
  readonly id: string;
  readonly thing?: Thing;
  readonly kind: string;
  readonly title: string;
  readonly x: number;
  readonly y: number;
  /** How many boxes are around it. */
  readonly depth: number;
  /** Pods in it, those in its inner boxes too. */
  readonly count: number;
  readonly header: number;
}

/** The middle and the side of a pod's square. */
export interface Place {
  readonly thing: Thing;
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

export interface Link {
  readonly from: { readonly x: number; readonly y: number };
  readonly to: { readonly x: number; readonly y: number };
  readonly kind: 'uses' | 'bound' | 'attached';
  readonly isBroken: boolean;
}

export interface Scene extends Size {
  readonly mode: Mode;
  readonly boxes: readonly Box[];
  readonly places: readonly Place[];
  readonly links: readonly Link[];
}
