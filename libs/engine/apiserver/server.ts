import type { Node, Pod } from '../api/core_v1.js';
import type {
  BodyResponse,
  CommandResult,
  Dial,
  PodHttpAnswer,
  PodHttpRequest,
  PodLogOptions,
  StreamResponse,
} from '../machinery/http.js';
import type { Millis } from '../machinery/time/time.js';
import type { Registry } from '../runtime/registry.js';
import type { State } from '../runtime/state.js';
import type { Writer } from './registry/writer.js';
import type { RequestCounts } from './response/request-counts.js';

/** One cluster's API server: what `handle` works on. */
export interface Server {
  readonly state: State;
  readonly registry: Registry;
  readonly writer: Writer;
  /** Counts what is answered, for /metrics. */
  readonly requests?: RequestCounts;
  /** What a container has written; by default nothing. */
  logs?(pod: Pod, options: PodLogOptions, now: Millis): StreamResponse | BodyResponse;
  /** The way to the pods' ports; without it nobody answers there. */
  readonly dial?: Dial;
  /** A command in a running container; undefined when it does not run. */
  exec?(
    pod: Pod,
    container: string,
    command: readonly string[],
    now: Millis,
  ): ((stdin: string) => CommandResult) | undefined;
  /** What a node's kubelet answers on its own port. */
  kubelet?(node: Node, request: PodHttpRequest, now: Millis): PodHttpAnswer | { readonly error: string };
}
