import type { Kind } from '../machinery/kind.js';
import type { Key } from '../machinery/meta/object.js';
import type { Millis } from '../machinery/time/time.js';
import type { IdentifiedRequest } from './request/identify.js';
import type { Output } from './request/negotiate.js';
import type { Query } from '../machinery/requests/query.js';
import type { Server } from './server.js';

/** One request to a resource, on its way. */
export interface Call {
  readonly server: Server;
  readonly request: IdentifiedRequest;
  readonly query: Query;
  readonly kind: Kind;
  /** '' for all namespaces and for cluster-scoped kinds. */
  readonly namespace: string;
  /** '' for the collection. */
  readonly name: string;
  readonly subresource: string;
  readonly output: Output;
  readonly now: Millis;
  /** Texts of the Warning headers to come. */
  readonly warnings: string[];
}

export const keyOfCall = (call: Call): Key => ({ namespace: call.namespace, name: call.name });
