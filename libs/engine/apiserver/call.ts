import type { Client } from '../machinery/client.js';
import type { Kind } from '../machinery/kind.js';
import type { Key } from '../machinery/meta/object.js';
import type { Millis } from '../machinery/time/time.js';
import type { IdentifiedRequest } from './request/identify.js';
import type { Output } from './request/negotiate.js';
import type { Query } from './request/query.js';
import type { Server } from './server.js';
import { managerOf } from './ownership/ownership.js';
import type { WriteOptions } from './registry/store.js';

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

/** Of a write whose changes belong to the caller. */
export const writeOptions = (call: Call, dryRun: boolean): WriteOptions => ({
  ...untracked(call, dryRun),
  tracking: {
    kind: call.kind,
    subresource: call.subresource,
    manager: managerOf(call.query.text('fieldManager'), call.request.headers['user-agent']),
  },
});

export const untracked = (call: Call, dryRun: boolean): WriteOptions => ({
  tracking: false,
  asked: askedOf(call),
  user: call.request.user,
  cause: 0,
  validate: true,
  dryRun,
  fromOutside: true,
  warn: (text) => {
    if (!call.warnings.includes(text)) call.warnings.push(text);
  },
});

/** The options that admission is told of. */
function askedOf({ query }: Call): Readonly<Record<string, unknown>> {
  const [fieldManager, fieldValidation] = [query.text('fieldManager'), query.text('fieldValidation')];
  return { ...(fieldManager ? { fieldManager } : {}), ...(fieldValidation ? { fieldValidation } : {}) };
}

export const clientOf = (call: Call, dryRun: boolean): Client => call.server.writer.client(untracked(call, dryRun));
