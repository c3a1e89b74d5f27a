import type { KubeObject } from '../../../machinery/meta/object.js';
import { microTimestamp, parseTimestamp, type Millis } from '../../../machinery/time/time.js';

/** What the container runtime knows of one container beyond its status. Times are metav1.MicroTime texts. */
export interface ContainerRecord {
  /** What is going on, until `due`. */
  step?: 'pulling' | 'creating' | 'pullFailed';
  due?: string;
  /** When the pull began. */
  since?: string;
  /** The exact start of the running process. */
  startedAt?: string;
  /** Nothing is tried before. */
  notBefore?: string;
  /** Pulls or creations that failed in a row. */
  failures?: number;
  /** It ended, and its next run is being made. */
  restarting?: boolean;
  /** Seconds of the last crash back-off. */
  backoff?: number;
  /** It was told to stop: when and how it ends. */
  dying?: { at: string; code: number };
  /** The last probe tick that was reported. */
  probedAt?: string;
}

/** The internal object beside a pod; it exists only once something was pending. */
export interface PodRecord extends KubeObject {
  uid: string;
  sandboxDue?: string;
  mountRetryAt?: string;
  mountFailures?: number;
  containers: Record<string, ContainerRecord>;
}

export const toText = (at: Millis): string => microTimestamp(Math.round(at));
export const fromText = (text: string | undefined): Millis => (text === undefined ? 0 : parseTimestamp(text));
