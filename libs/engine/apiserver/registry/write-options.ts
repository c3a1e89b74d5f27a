import type { User } from '../../machinery/client.js';
import { COMPONENT_OWNER, type FieldOwner } from '../ownership/field-owner.js';

/** The user who writes, and the revision that made them. */
export interface Requester {
  readonly user: User;
  /** The revision that led to this write; 0 for a user's own request. */
  readonly cause: number;
}

/** How a write reached the API server. */
export type Origin =
  | {
      readonly type: 'request';
      /** The request's own options beside dry run, for admission: fieldManager, fieldValidation. */
      readonly options: Readonly<Record<string, unknown>>;
      /** Adds a Warning header to the response. */
      warn(text: string): void;
    }
  /** A component of the cluster's own, in this process. */
  | { readonly type: 'component' };

export interface WriteOptions {
  readonly requester: Requester;
  readonly origin: Origin;
  readonly fieldOwner: FieldOwner;
  /** False for the cluster's own components: the objects that they build are valid (their tests turn it on). */
  readonly validate: boolean;
  /** Runs the whole write path and stores nothing. */
  readonly dryRun: boolean;
}

const COMPONENT: Origin = Object.freeze({ type: 'component' });

/** The options of a component's writes: it owns the fields that it changes. */
export const componentOptions = (requester: Requester, validate: boolean): WriteOptions => ({
  requester,
  origin: COMPONENT,
  fieldOwner: COMPONENT_OWNER,
  validate,
  dryRun: false,
});
