import type { Pod } from '../api/core_v1.js';
import type { BodyResponse, StreamResponse } from '../machinery/http.js';
import type { Millis } from '../machinery/time.js';
import type { Registry } from '../runtime/registry.js';
import type { State } from '../runtime/state.js';
import type { Writer } from './writer.js';

/** What `kubectl logs` asks of one container; already checked. Models core/v1 PodLogOptions. */
export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly limitBytes?: number;
}

/** One cluster's API server: what `handle` works on. */
export interface Server {
  readonly state: State;
  readonly registry: Registry;
  readonly writer: Writer;
  /** What a container has written; by default nothing. */
  logs?(pod: Pod, options: LogOptions, now: Millis): StreamResponse | BodyResponse;
}
