import type { Millis } from '../time/time.js';
import type { TraceVerdict } from './trace.js';

/** Which flows are asked for. */
export interface FlowQuestion {
  /** That have begun, passed something or ended since then. */
  readonly since: Millis;
  readonly limit: number;
}

/** One connection, or a question and its answer: who talked to whom. */
export interface FlowRecord {
  /** The same as long as it is shown. */
  id: string;
  /** When it began, and when it ended: metav1.MicroTime. */
  startedAt: string;
  endedAt?: string;
  /** 'pod/shop/web', 'node/worker-1' or an address. */
  from: string;
  to: string;
  /** 'service/shop/db', when its address was asked for. */
  service?: string;
  /** What was asked for. */
  address: string;
  port: number;
  protocol: 'TCP' | 'UDP' | 'ICMP';
  verdict: TraceVerdict;
  /** The policy or rule that has decided; empty: none had to. */
  decided: string;
  bytesSent: number;
  bytesReceived: number;
  /** The nodes that it passes, in their order. */
  nodes: string[];
}

export interface FlowAnswer {
  /** The time of the reading. */
  at: string;
  /** The latest first. */
  flows: FlowRecord[];
  /** Flows beyond the limit. */
  left: number;
}

export type FlowReader = (question: FlowQuestion, now: Millis) => FlowAnswer;
