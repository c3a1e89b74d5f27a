import { operation } from '../../../api/operation.js';

export interface WhyStep {
  readonly revision: number;
  readonly at: string;
  readonly actor: string;
  readonly cause: number;
  readonly verb: string;
  readonly object: string;
  readonly fields: readonly string[];
  readonly text: string;
}

export interface Why {
  readonly reason: string;
  readonly message: string;
  readonly findings: readonly {
    readonly object: string;
    readonly reason: string;
    readonly message: string;
    readonly details: readonly string[] | null;
    readonly revision: number | null;
  }[];
  readonly chain: readonly WhyStep[];
  readonly chainEnds: string;
}

const STEP = 'revision at actor cause verb object fields text';

export const WHY = operation<{ readonly why: Why }, { clusterId: string; spec: object }>(
  `query ($clusterId: ID!, $spec: JSON!) {
    why(clusterId: $clusterId, spec: $spec) {
      reason message findings { object reason message details revision } chain { ${STEP} } chainEnds
    }
  }`,
);

export interface Timeline {
  readonly entries: readonly WhyStep[];
  readonly before: number | null;
  readonly ends: string;
}

export const TIMELINE = operation<{ readonly timeline: Timeline }, { clusterId: string; filter: object }>(
  `query ($clusterId: ID!, $filter: TimelineFilter) {
    timeline(clusterId: $clusterId, filter: $filter) { entries { ${STEP} } before ends }
  }`,
);
