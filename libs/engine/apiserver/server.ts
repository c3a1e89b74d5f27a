import type { Node, Pod } from '../api/core_v1.js';
import type {
  BodyResponse,
  Dial,
  PodHttpAnswer,
  PodHttpRequest,
  PodLogOptions,
  Reach,
  ReachAnswer,
  StreamResponse,
} from '../machinery/requests/http.js';
import type { AskedRequest } from '../machinery/requests/asked-request.js';
import type { AuditConfiguration } from '../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { UsageSource } from '../machinery/questions/usage.js';
import type { GitVersion } from '../machinery/releases.js';
import type { Sessions } from '../machinery/requests/sessions.js';
import type { Millis } from '../machinery/time/time.js';
import type { Registry } from '../runtime/registry.js';
import type { State } from '../runtime/state/state.js';
import type { Writer } from './registry/writer.js';
import type { RequestCounts } from './response/request-counts.js';

/** One cluster's API server. */
export interface Server {
  readonly state: State;
  readonly registry: Registry;
  readonly writer: Writer;
  /** The release that it shows now; the default one unless chosen. */
  version?(): GitVersion | undefined;
  /** Counts requests and their response codes, for /metrics. */
  readonly requests?: RequestCounts;
  /** The log of a container; absent, logs are empty. */
  logs?(pod: Pod, options: PodLogOptions, now: Millis): StreamResponse | BodyResponse;
  /** The way to the ports of pods; absent, connections are refused. */
  readonly dial?: Dial;
  /** The same for what users send: it changes the servers that it reaches. By default `dial`. */
  readonly reach?: Reach;
  /** Sends a request from outside the cluster to an address of it. */
  enter?(address: string, request: PodHttpRequest, now: Millis): ReachAnswer;
  /** What exec, attach and port-forward open in containers. */
  readonly sessions?: Sessions;
  /** Sends a request to the port of a node's kubelet. */
  kubelet?(node: Node, request: PodHttpRequest, now: Millis): PodHttpAnswer | { readonly error: string };
  /** What kubelets tell metrics-server; absent, its API answers nothing. */
  readonly usage?: UsageSource;
  /** Is told of users' requests, when somebody wants to know. */
  readonly asks?: { isWanted(): boolean; note(request: AskedRequest): void };
  /** Appends lines to the log that an audit policy asks for; absent, there is none. */
  audit?(configuration: AuditConfiguration, lines: string, now: Millis): void;
}
