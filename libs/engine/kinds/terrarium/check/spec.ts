import type { KubeObject } from '../../../machinery/meta/object.js';

/**
 * What a learner is asked for, and whether it was done: expressions over the present and over what happens, each with
 * its share of the points. Only the cluster writes the status.
 */
export interface Check extends KubeObject {
  spec: CheckSpec;
  status: CheckStatus;
}

export interface CheckSpec extends CheckPartSpec {
  title?: string;
  /** Of the whole check; by default what its parts have together, or 1. */
  points?: number;
  /** Shown while it is not passed. */
  hint?: string;
  /** Shown while it is not passed; by default what its first part that is not passed says. */
  message?: string;
  /** Shown by phase, in place of `message`. */
  messages?: { pending?: string; passed?: string; failed?: string };
  /** Each of them is asked for. Without them the check's own expression is. */
  parts?: CheckPartSpec[];
}

/** One question: exactly one of `now`, `eventually`, `always`, `never` and `probe`. */
export interface CheckPartSpec {
  name?: string;
  title?: string;
  /** Its share; without shares the parts have equal ones. */
  points?: number;
  hint?: string;
  message?: string;

  /** Passed whenever it holds. */
  now?: string;
  /** Passed once it has held. */
  eventually?: string;
  /** Failed once it has not held. */
  always?: string;
  /** Failed once it has held. */
  never?: string;
  /** Failed once a request from outside has. */
  probe?: CheckProbe;

  /** `eventually`, `never`: so often; by default 1. */
  times?: number;
  /** The question begins: a time, or a duration after the check's creation. */
  from?: string;
  /** The question begins once this holds. */
  after?: string;
  /** It ends: a time, or a duration after the check's creation. */
  to?: string;
  /** It ends so long after its beginning. */
  within?: string;
  /** It ends once this holds. */
  until?: string;
  /** It is asked once: at a time, or a duration after the check's creation. */
  at?: string;
  /** It is asked once: when the cluster has reached this revision. */
  atRevision?: number;
  /** How often what no change tells is looked at; by default 10s, of a probe 5s. */
  every?: string;
}

export interface CheckProbe {
  /** 'http://HOST/PATH' of an Ingress or Gateway, 'http://ADDRESS:PORT/' of a load balancer or node, ':30080/'. */
  url: string;
  method?: 'GET' | 'HEAD';
  /** What counts as an answer; by default anything below 400. */
  status?: number;
  /** Text that has to be in the body. */
  body?: string;
  /** Failures that are overlooked; by default none. */
  failures?: number;
}

export type CheckPhase = 'Pending' | 'Passed' | 'Failed';

export interface CheckStatus {
  phase?: CheckPhase;
  score?: number;
  points?: number;
  message?: string;
  hint?: string;
  parts?: CheckPartStatus[];
  /** Since when it asks: what was before is not looked at. metav1.MicroTime. */
  startTime?: string;
  startRevision?: number;
  observedGeneration?: number;
  /** The last changes of the result, the newest last. */
  results?: CheckResult[];
}

/** A change of a check's result. */
export interface CheckResult {
  /** Of the change that led to it. */
  revision: number;
  time: string;
  phase: CheckPhase;
  score: number;
}

/** Times are metav1.MicroTime. */
export interface CheckPartStatus {
  name: string;
  phase: CheckPhase;
  /** What it has earned, of its share. */
  points: number;
  share: number;
  message?: string;
  /** Of its phase: the revision and time at which it came to be so. */
  revision?: number;
  time?: string;
  /** The phase is final. */
  decided?: boolean;
  /** When the question began; absent: not yet. */
  since?: string;
  sinceRevision?: number;
  /** So often it has happened, or a probe has failed. */
  count?: number;
  /** When it was counted last. */
  countedAt?: string;
}
