import type { Access } from '../requests/auth.js';
import type { KubeObject } from '../meta/object.js';
import type { Millis } from '../time/time.js';
import type { ChangeFilter } from '../past-change.js';
import type { TraceQuestion } from './trace.js';
import type { User } from '../requests/user.js';

/** What somebody asks for the reason of. */
export type WhyQuestion =
  /** An object, one of its conditions, or something that is not there. */
  | {
      readonly type: 'object';
      /** As kubectl takes it: 'pods', 'po', 'Pod', 'deployments.apps'. */
      readonly resource: string;
      readonly namespace: string;
      readonly name: string;
      readonly condition?: string;
      /** A deleted object is looked for in changes before this revision. */
      readonly before?: number;
    }
  | { readonly type: 'connection'; readonly connection: TraceQuestion }
  /** A request that was refused, or would be; with an object it is tried without storing anything. */
  | { readonly type: 'request'; readonly user: User; readonly access: Access; readonly object?: KubeObject }
  | { readonly type: 'revision'; readonly revision: number };

/** One thing that is known to be so. */
export interface WhyFinding {
  /** 'pod/shop/web', 'node/worker-1'. */
  object: string;
  /** Kubernetes' own word where there is one: 'OOMKilled', 'FailedScheduling'. */
  reason: string;
  /** A sentence. */
  message: string;
  /** Lines of evidence: what each node was refused for, the last lines of a log, the hops of a packet. */
  details?: string[];
  /** The change that tells it. */
  revision?: number;
}

/** One change on the way from a user's write to what is asked about. */
export interface WhyStep {
  revision: number;
  /** metav1.MicroTime. */
  at: string;
  actor: string;
  /** The revision that it answers to; 0: it came from outside, or with time. */
  cause: number;
  verb: string;
  object: string;
  fields: string[];
  /** The step as a sentence. */
  text: string;
}

export interface WhyAnswer {
  /** The reason of the first finding. */
  reason: string;
  /** The plain reason, a sentence. */
  message: string;
  /** The one that explains the others comes first. */
  findings: WhyFinding[];
  /** The oldest first. */
  chain: WhyStep[];
  /** Why the chain does not go back to its beginning; empty when it does. */
  chainEnds: string;
  /** All of it, to be read. */
  text: string;
}

/** The asker sees what RBAC shows him. A text says what of the question is not there. */
export type Answerer = (question: WhyQuestion, asker: User, now: Millis) => WhyAnswer | string;

/** What the scheduler's plug-ins say of a pod at present. */
export interface SchedulingReport {
  /** The scheduler's own sentence: '0/3 nodes are available: …'; empty when the pod fits a node. */
  readonly summary: string;
  /** The nodes that were looked at, by name. */
  readonly nodes: readonly { readonly node: string; readonly verdicts: readonly string[] }[];
  /** Nodes beyond the limit. */
  readonly left: number;
}

/** Which part of the history is asked for: the newest change comes first. */
export interface TimelineQuestion {
  readonly filter: Omit<ChangeFilter, 'resource'>;
  /** As kubectl takes it. */
  readonly resource?: string;
  /** Changes before this revision; by default all. */
  readonly before?: number;
  readonly limit: number;
}

export interface Timeline {
  entries: WhyStep[];
  /** The next page is what came before this revision; absent on the last one. */
  before?: number;
  /** Why there is nothing older to be read; empty when there is, or when the page reaches the beginning. */
  ends: string;
}

export type TimelineReader = (question: TimelineQuestion) => Timeline | string;
