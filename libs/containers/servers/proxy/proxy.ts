import type { LogLine, PodHttpAnswer, PodHttpRequest, Reader } from '@terrarium/engine';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';
import type { ClientHello, ServerHello } from '../../../engine/node/cni/tls.js';

/** A request that has come to a proxy. */
export interface ProxyRequest {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  readonly method: string;
  /** With the query, as it was sent. */
  readonly path: Bytes;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  /** The client's address, and its port. */
  readonly client: string;
  readonly clientPort: number;
  /** The certificate whose key the client holds, DER in base64; absent: it has shown none. */
  readonly certificate?: string;
  /** Bytes of all of it. */
  readonly length: number;
  readonly at: Millis;
  /** Where its connection was to go before rules of the namespace led it here. */
  readonly original?: Met['original'];
  /** Who the client has said it is (Opened). */
  readonly peer?: string;
}

/** A connection that has come to a proxy, and its first bytes. */
export interface Met {
  readonly port: number;
  readonly original?: { readonly address: string; readonly port: number };
  readonly client: string;
  readonly received: Bytes;
}

/**
 * What a proxy makes of a connection: as its port says ('default'); or it has to know more, speaks HTTP (after a
 * greeting of its own, and with what follows the client's), passes all bytes on, or breaks off; what is not read then
 * resets the client.
 */
export type Opened =
  | 'wait'
  | 'close'
  | 'default'
  | { readonly http: Bytes; readonly hello?: ServerHello; readonly peer?: string }
  | {
      readonly pass: { readonly address: string; readonly port: number };
      readonly bytes: Bytes;
      /** Its greeting of the client. */
      readonly hello?: ServerHello;
      /** Its greeting of the server. */
      readonly greets?: ClientHello;
      readonly line?: string;
    };

/** A request to another server. */
export interface Forward {
  readonly address: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly method: string;
  readonly path: Bytes;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  readonly timeout: Millis;
  /** What it says of itself in a TLS handshake; by default only the host's name. */
  readonly hello?: ClientHello;
  /** What `finish` has to know of it. */
  readonly note: Plain;
}

/** What became of a request to another server. */
export type Outcome =
  | { readonly answer: AnswerParts; readonly took: Millis }
  | { readonly failure: 'refused' | 'unreachable' | 'timeout' | 'broken'; readonly took: Millis };

/** What a proxy does next, at once or `after` a while: it answers, with a line for its log, or asks another server. */
export type Step =
  | { readonly answer: AnswerParts; readonly line?: string; readonly after?: Millis }
  | {
      readonly after?: Millis;
      readonly forward: Forward;
      /** Requests whose answers nobody waits for. */
      readonly copies?: readonly Forward[];
    };

/** What a proxy looks at. */
export interface Look {
  readonly read: Reader;
  readonly now: Millis;
  /** What it remembers from one request to the next: plain data of its own. */
  readonly memory: Record<string, Plain>;
  /** Notes of the requests that are under way. */
  readonly active: readonly Plain[];
  /** 0 to 1, another one each time. */
  random(): number;
}

/** A server that stands before others: functions of what it looks at, and of its own plain memory. */
export interface Proxy {
  /** Ports whose requests it passes on. */
  readonly ports: readonly number[];
  readonly readyAfterMs: Millis;
  /** Those of all its ports where it speaks TLS. */
  readonly tlsPorts: readonly number[];
  /** Whether it speaks TLS at a port of the moment, where `tlsPorts` does not say so. */
  speaksTls?(port: number, look: Look): boolean;
  /** What it shows in a TLS handshake; undefined: it breaks off. */
  hello(serverName: string, look: Look & { readonly port: number }): ServerHello | undefined;
  /** Takes a connection to one of its ports by its first bytes, of which there may be none yet. By default by port. */
  open?(met: Met, look: Look): Opened;
  /** Where a TLS connection goes that it passes on without looking into it. */
  passes?(
    port: number,
    serverName: string,
    look: Look,
  ): { readonly address: string; readonly port: number } | undefined;
  take(request: ProxyRequest, look: Look): Step;
  /** What comes of the answer of another server. */
  finish(request: ProxyRequest, forward: Forward, outcome: Outcome, look: Look): Step;
  /** Its answer at its other ports. */
  serve?(request: PodHttpRequest, look: Look): PodHttpAnswer;
  /** Other ports that it listens on. */
  readonly ownPorts: readonly number[];
  /** What it writes when it starts. */
  lines(): readonly LogLine[];
  /** The answer to what is no HTTP, and to plain HTTP at a port of TLS. */
  refuse(isPlain: boolean): AnswerParts;
}
