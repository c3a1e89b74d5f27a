import type { Duplex } from 'node:stream';
import type { PodHttpAnswer, PodHttpRequest } from '@terrarium/engine';
import type { ContainerSession } from '../container-session.js';

/** What listens at a port of a pod: a session of its machine, or a server that answers requests one by one. */
export type ConnectedPort =
  | { readonly type: 'session'; readonly session: ContainerSession }
  | { readonly type: 'http' }
  /** `message`: what the client is told. */
  | { readonly type: 'failure'; readonly message: string };

/** The way to the ports of one pod: ClusterPorts in a host. */
export interface PortDialer {
  readonly podName: string;
  /** Rejects with ApiError. */
  connect(port: number): Promise<ConnectedPort>;
  /** Sends one HTTP request. Rejects with ApiError. */
  send(request: PodHttpRequest): Promise<PodHttpAnswer | { readonly error: string }>;
}

/** One forwarded connection: the client's end, and where errors are told. */
export interface ForwardedConnection {
  readonly port: number;
  readonly data: Duplex;
  /** Tells the client why the connection ends, if it did not end well. Called once. */
  done(message?: string): void;
}
