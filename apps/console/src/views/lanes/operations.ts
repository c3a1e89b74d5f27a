import { operation } from '../../api/operation.js';
import type { Reconcile } from './lanes.js';
import type { Written } from './past-lanes.js';

export const ACTIVITY = operation<
  { readonly activity: { readonly reconciles: readonly Reconcile[]; readonly dropped: number } },
  { readonly id: string }
>(
  `subscription ($id: ID!) { activity(clusterId: $id) {
    reconciles { controller namespace name at duration queued writes outcome requeueAfter } dropped } }`,
);

export interface Ran {
  readonly controller: string;
  readonly component: string;
  readonly namespace?: string | null;
  readonly name: string;
  readonly at: string;
  readonly cause?: number | null;
  readonly outcome: string;
  readonly error?: string | null;
  readonly writes: readonly {
    readonly revision: number;
    readonly verb: string;
    readonly resource: string;
    readonly namespace?: string | null;
    readonly name: string;
  }[];
}
export interface Next {
  readonly controller: string;
  readonly namespace?: string | null;
  readonly name: string;
  readonly at: string;
  readonly why: string;
  readonly queued: number;
}
export interface Stepped {
  readonly ran: readonly Ran[];
  readonly next?: Next | null;
}
export const STEP = operation<{ readonly stepClock: Stepped }, { readonly id: string; readonly steps: number }>(
  `mutation ($id: ID!, $steps: Int) { stepClock(clusterId: $id, steps: $steps) {
    ran { controller component namespace name at cause outcome error writes { revision verb resource namespace name } }
    next { controller namespace name at why queued } } }`,
);

export const TIMELINE = operation<
  { readonly timeline: { readonly entries: readonly Written[] } },
  { readonly id: string; readonly before: number }
>(
  `query ($id: ID!, $before: Int) {
    timeline(clusterId: $id, filter: { before: $before, limit: 500 }) { entries { revision at actor text cause } } }`,
);
