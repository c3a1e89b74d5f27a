import { operation } from '../../api/operation.js';

export interface Clock {
  readonly rate: number;
  readonly paused: boolean;
  readonly asFastAsPossible: boolean;
}
export const CLOCK = operation<{ readonly clock: Clock }, { readonly id: string }>(
  'query ($id: ID!) { clock(clusterId: $id) { rate paused asFastAsPossible } }',
);
export const UPDATE_CLOCK = operation<
  { readonly updateClock: Clock },
  { readonly id: string; readonly patch: Partial<Clock> }
>(
  'mutation ($id: ID!, $patch: ClockPatch!) { updateClock(clusterId: $id, patch: $patch) { rate paused asFastAsPossible } }',
);
export const CLOCK_CHANGES = operation<
  { readonly changes: { readonly object: { readonly spec?: Partial<Clock> } } },
  { readonly id: string }
>(
  'subscription ($id: ID!) { changes(clusterId: $id, apiVersion: "terrarium.dev/v1alpha1", kind: "Clock") { object } }',
);
export interface Advance {
  readonly name: string;
  readonly phase: string;
  readonly progress: number;
  readonly message?: string | null;
}
export const ADVANCE = operation<{ readonly advanceClock: Advance }, { readonly id: string; readonly advance: object }>(
  'mutation ($id: ID!, $advance: NewAdvance!) { advanceClock(clusterId: $id, advance: $advance) { name phase progress message } }',
);
export const ADVANCE_LIVE = operation<{ readonly advance: Advance }, { readonly id: string; readonly name: string }>(
  'subscription ($id: ID!, $name: String!) { advance(clusterId: $id, name: $name) { name phase progress message } }',
);
export interface History {
  readonly oldest: number;
  readonly latest: number;
  readonly time: string;
  /** Of the oldest change that is retained. */
  readonly from?: string | null;
}
export const HISTORY = operation<{ readonly history: History }, { readonly id: string }>(
  'query ($id: ID!) { history(id: $id) { oldest latest time from } }',
);
export interface Entry {
  readonly revision: number;
  readonly at: string;
  readonly actor: string;
  readonly object: string;
  readonly text: string;
}
interface Timeline {
  readonly timeline: { readonly entries: readonly Entry[]; readonly before?: number | null };
}
export const MARKS = operation<
  Timeline & { readonly faults: Timeline['timeline'] },
  { readonly id: string; readonly before?: number; readonly after?: number }
>(
  `query ($id: ID!, $before: Int, $after: Int) {
    timeline(clusterId: $id, filter: { ofUsers: true, limit: 500, before: $before, after: $after }) { entries { revision at actor object text } before }
    faults: timeline(clusterId: $id, filter: { resource: "faults.terrarium.dev", limit: 500, before: $before, after: $after }) { entries { revision at actor object text } } }`,
);
export const WARNINGS = operation<
  {
    readonly objects: {
      readonly items: readonly {
        readonly lastTimestamp?: string | null;
        readonly eventTime?: string | null;
        readonly metadata: { readonly creationTimestamp: string };
        readonly reason?: string;
        readonly message?: string;
      }[];
    };
  },
  { readonly id: string }
>(
  'query ($id: ID!) { objects(clusterId: $id, apiVersion: "v1", kind: "Event", fieldSelector: "type=Warning", limit: 500) { items } }',
);
export const FORK = operation<
  { readonly forkCluster: readonly { readonly id: string; readonly name: string }[] },
  { readonly id: string; readonly input: object }
>('mutation ($id: ID!, $input: NewForks!) { forkCluster(id: $id, input: $input) { id name } }');
