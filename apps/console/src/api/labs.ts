import type { Cluster } from './clusters.js';
import { operation } from './operation.js';

/** Labels of a learner's cluster (docs/LABS.md). */
const LAB_LABEL = 'lab.terrarium.dev/name';
const LEARNER_LABEL = 'lab.terrarium.dev/learner';

/** The lab that a learner's cluster is of. */
export const labOf = ({ labels }: Cluster): string | undefined =>
  labels[LEARNER_LABEL] ? labels[LAB_LABEL] : undefined;

export interface LabSummary {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly minutes?: number | null;
  readonly steps: number;
  readonly checks: number;
  readonly updatedAt: string;
}

export interface LabCheck {
  readonly name: string;
  readonly phase: string;
  readonly score: number;
  readonly points: number;
  readonly message: string;
}

export interface LabStep {
  readonly name: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  readonly hints: readonly string[];
  readonly foreground?: string | null;
  readonly canVerify: boolean;
  readonly done: boolean;
  readonly checks: readonly LabCheck[];
}

/** A lab as its learner sees it. */
export interface LabView {
  readonly name: string;
  readonly learner: string;
  readonly title: string;
  readonly summary: string;
  readonly minutes?: number | null;
  readonly intro: string;
  readonly finish: string;
  /** Whose terminal the steps are for. */
  readonly node: string;
  /** The first step that is not done, from 1. */
  readonly step: number;
  readonly score: number;
  readonly points: number;
  readonly steps: readonly LabStep[];
}

export interface Learner {
  readonly name: string;
  readonly clusterId: string;
  /** The first step that is not done, from 1; one more than there are at the end. */
  readonly step: number;
  readonly steps: number;
  readonly done: readonly string[];
  readonly score: number;
  readonly points: number;
  readonly checks: readonly LabCheck[];
  readonly lastActivity: string;
  readonly lastCommand: string;
  /** Of the cluster, or `deleted`. */
  readonly state: string;
}

export interface SessionAct {
  readonly type: 'command' | 'write' | 'check' | 'enter' | 'verify';
  /** Virtual time, RFC 3339. */
  readonly at: string;
  readonly revision: number;
  readonly text: string;
  readonly actor: string;
  readonly step: string;
  readonly done: boolean;
}

const CHECK = 'name phase score points message';

export const LIST_LABS = operation<{ labs: LabSummary[] }>(
  'query Labs { labs { name title summary minutes steps checks updatedAt } }',
);

export const LAB_LIVE = operation<{ labLive: LabView }, { clusterId: string }>(`
  subscription LabLive($clusterId: ID!) {
    labLive(clusterId: $clusterId) {
      name learner title summary minutes intro finish node step score points
      steps { name title text hints foreground canVerify done checks { ${CHECK} } }
    }
  }`);

export const ENTER_STEP = operation<
  { enterStep: { foreground?: string | null; message: string } },
  { clusterId: string; step: string }
>(
  'mutation EnterStep($clusterId: ID!, $step: String!) { enterStep(clusterId: $clusterId, step: $step) { foreground message } }',
);

export const VERIFY_STEP = operation<
  { verifyStep: { done: boolean; message: string } },
  { clusterId: string; step: string }
>(
  'mutation VerifyStep($clusterId: ID!, $step: String!) { verifyStep(clusterId: $clusterId, step: $step) { done message } }',
);

export const LEARNERS_LIVE = operation<{ learnersLive: Learner[] }, { lab: string }>(`
  subscription LearnersLive($lab: String!) {
    learnersLive(lab: $lab) {
      name clusterId step steps done score points checks { ${CHECK} } lastActivity lastCommand state
    }
  }`);

export const START_LEARNERS = operation<
  { startLearners: { name: string; clusterId: string }[] },
  { lab: string; names?: readonly string[]; count?: number; ttl?: string }
>(`
  mutation StartLearners($lab: String!, $names: [String!], $count: Int, $ttl: String) {
    startLearners(lab: $lab, names: $names, count: $count, ttl: $ttl) { name clusterId }
  }`);

export const READ_SESSION = operation<
  { session: { items: SessionAct[]; nextCursor?: string | null } },
  { clusterId: string; after?: string }
>(`
  query LabSession($clusterId: ID!, $after: String) {
    session(clusterId: $clusterId, after: $after, limit: 500) {
      items { type at revision text actor step done } nextCursor
    }
  }`);

export const REPLAY = operation<{ replay: SessionAct }, { clusterId: string; speed: number; from: number }>(`
  subscription Replay($clusterId: ID!, $speed: Float, $from: Int) {
    replay(clusterId: $clusterId, speed: $speed, from: $from) { type at revision text actor step done }
  }`);
