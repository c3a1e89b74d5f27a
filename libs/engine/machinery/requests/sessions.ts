import type { Node, Pod } from '../../api/core_v1.js';
import type { PodHttpAnswer, PodHttpRequest } from './pod-http.js';
import type { ApiError } from '../meta/status.js';
import type { Millis } from '../time/time.js';

/**
 * Sessions: what `kubectl exec`, `attach` and `port-forward` open in a container, and what outlives the process that
 * serves them, since they are part of the cluster's state. All bytes are strings of characters 0 to 255.
 */

/** Names one session of one pod; it stays the same when another process takes it up. */
export interface SessionReference {
  readonly namespace: string;
  readonly pod: string;
  /** Of the pod: a pod that is made anew under the same name has none of its sessions. */
  readonly uid: string;
  readonly id: string;
  /** Of a terminal that a client types into: who, and where. What is typed is recorded by it. */
  readonly typist?: Typist;
}

/** Who types, and the request that has opened the terminal. */
export interface Typist {
  readonly user: string;
  readonly groups: readonly string[];
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
}

/** What an input has led to. */
export interface TakenInput {
  /** Of stdin: not all when the process does not read; then its end was not taken, too. */
  readonly bytes: number;
  /** Lines that programs have read since the last input, typed with the echo on. UTF-8 text. */
  readonly lines: readonly string[];
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export interface StreamOptions {
  readonly container: string;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

export interface ExecOptions extends StreamOptions {
  /** UTF-8 text, as the API has it. */
  readonly command: readonly string[];
  /** A session that is over at once has no record: its end is told with its beginning. */
  readonly takesEnd?: boolean;
}

/** One input of a session. All of its parts act in the order in which they stand here. */
export interface SessionInput {
  readonly resize?: TerminalSize;
  readonly stdin?: string;
  /** The client sends no more: end of file for the process (a half-closed connection for a port). */
  readonly closeStdin?: boolean;
  /** What the client has received, counted from the session's beginning: it need not be kept any longer. */
  readonly received?: { readonly stdout: number; readonly stderr: number };
  /** The client has left: SIGHUP to the terminal's processes, EOF or a broken pipe to the others. */
  readonly hangUp?: boolean;
}

/** How far the client has read, in bytes from the session's beginning. */
export interface SessionPosition {
  readonly stdoutFrom: number;
  readonly stderrFrom: number;
}

export interface SessionOutput {
  /**
   * What came after the position. A port's bytes are its stdout. An attached client that was too slow has lost what
   * came between the position and `stdoutFrom` or `stderrFrom`.
   */
  readonly stdout: string;
  readonly stderr: string;
  /**
   * How the session has ended; all of its output is in this answer. `code` is 128 and the signal's number after a
   * signal. Of a port: the other side has closed the connection, with code 0.
   */
  readonly exit?: { readonly code: number };
  readonly stdoutFrom?: number;
  readonly stderrFrom?: number;
  /** Bytes of stdin that were taken and that the process has not read: while there are many, no more are sent. */
  readonly unread?: number;
  /** The earliest virtual time at which there may be more; undefined: after a change to the pod or an input only. */
  readonly wakeAt?: Millis;
  /** A program waits for the API server, which only an input of the cluster can ask: the next one lets it go on. */
  readonly waits?: true;
}

/**
 * What opening has led to. `failure` belongs on the error stream of the upgraded connection, as a Status: the kubelet
 * finds out after the upgrade (an executable file that is not there).
 */
export type OpenedSession =
  | {
      readonly session: SessionReference;
      /** It is over, and is not known any more: all that it has printed, and its exit code. */
      readonly over?: SessionOutput;
      readonly failure?: undefined;
    }
  | { readonly session?: undefined; readonly failure: ApiError };

/**
 * What a connection to a port has led to. `http`: to a server whose state no request changes, which needs no machine
 * and no record: each request on the connection is answered by itself (SessionRequest `dial`).
 */
export type OpenedPort =
  | OpenedSession
  | { readonly http: true; readonly session?: undefined; readonly failure?: undefined };

/**
 * A process of a pod has an HTTP request whose answer is not there yet, or a connection that was upgraded: the answer's
 * bytes are the session's. `unsent` is what of the request has still to be sent.
 */
export interface PendingAnswer {
  readonly session: SessionReference;
  readonly unsent: string;
}

/** Names a pod for as long as it lives. */
export interface PodReference {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
}

/** What comes over a connection after its upgrade. The host runs it in a transaction, as it does a request. */
export type SessionRequest =
  | { readonly type: 'input'; readonly session: SessionReference; readonly input: SessionInput }
  | { readonly type: 'openPort'; readonly target: PodReference; readonly port: number }
  | { readonly type: 'dial'; readonly target: PodReference; readonly request: PodHttpRequest };

export type SessionAnswer =
  /** `bytes`: so many of stdin were taken. The others, and its end, are to be sent again when there is room. */
  | { readonly type: 'taken'; readonly bytes: number }
  | { readonly type: 'port'; readonly opened: OpenedPort }
  | { readonly type: 'dialed'; readonly answer: PodHttpAnswer | { readonly error: string } }
  /** It would hold the thread for too long: the host sends it again when others have had their turn. */
  | { readonly type: 'unfinished' };

/**
 * The node's side of the ways into a container. `open...` and `input` change the state: they are inputs of the cluster
 * and go through the host's transaction. `read` changes nothing, so that any process that has the cluster may ask.
 */
export interface Sessions {
  /** Throws ApiError, before the upgrade, in the kubelet's words: the container does not run. */
  openExec(pod: Pod, options: ExecOptions, now: Millis): OpenedSession;
  /** On a node itself; without a command its login shell. Throws ApiError: its image is not known. */
  openShell(node: Node, options: ExecOptions, now: Millis): OpenedSession;
  openAttach(pod: Pod, options: StreamOptions, now: Millis): OpenedSession;
  /** A TCP connection to a port in the pod; `failure` when nothing listens there. */
  openPort(pod: Pod, port: number, now: Millis): OpenedPort;
  /** An input of a session that has ended, or whose container has, changes nothing. */
  input(session: SessionReference, input: SessionInput, now: Millis): TakenInput;
  /** A session whose container has ended or is gone has exited (137). */
  read(session: SessionReference, position: SessionPosition, now: Millis): SessionOutput;
}
