import type { Millis } from '../time/time.js';

/** One HTTP request to a port of a pod, on the cluster's own network. Header names are lower case. */
export interface PodHttpRequest {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as characters 0 to 255, where it may be no text: it counts instead of `body`. */
  readonly bytes?: string;
  /** DER of the certificate whose key the client has proved to hold. */
  readonly clientCertificate?: Uint8Array;
}

export interface PodHttpAnswer {
  readonly status: number;
  /** A header that was sent more than once (set-cookie) has its values in lines. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body as characters 0 to 255, where it may be no text. */
  readonly bytes?: string;
  /** A line of the server's log about the request; `{remote}` stands for the client's address. */
  readonly logged?: string;
  /** Virtual ms until the answer, which callers compare with their timeout. */
  readonly delayMs?: Millis;
}

/** Instead of an answer: the server takes its time, and is asked again at this one (ms since the epoch). */
export interface LaterAnswer {
  readonly askAgainAt: Millis;
}
