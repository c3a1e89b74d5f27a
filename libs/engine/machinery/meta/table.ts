import type { KubeObject } from './object.js';
import type { Millis } from '../time/time.js';

export type Cell = string | number | boolean | null;

/** One column of a Table: what `kubectl get` prints. Priority 0 always, 1 with `-o wide`. */
export interface Column<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  cell(object: T, now: Millis): Cell;
}
