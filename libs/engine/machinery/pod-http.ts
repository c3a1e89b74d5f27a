import type { Millis } from './time/time.js';

/** One HTTP request to a port of a pod, on the cluster's own network. Header names are lower case. */
export interface PodHttpRequest {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PodHttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Virtual ms until the answer, which callers compare with their timeout. */
  readonly delayMs?: Millis;
}
