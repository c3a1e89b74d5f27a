import { fromArray, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { decodeBase64, encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { toBytes } from '../../../engine/machinery/text/latin1.js';
import {
  applyAll,
  holds,
  type Compare,
  type KeyValue,
  type Operation,
  type Range,
  type Result,
  type Store,
  type Target,
} from './store.js';

type Json = Readonly<Record<string, unknown>>;

/** What the gateway answers to what it cannot read. */
export class GatewayError extends Error {
  constructor(
    readonly status: number,
    /** gRPC's code. */
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const MAX_OPERATIONS = 128;
/** Bytes of one value, as --max-request-bytes; and of all, in the place of --quota-backend-bytes. */
const MAX_VALUE = 1.5 * 1024 * 1024;
const QUOTA = 8 * 1024 * 1024;
const INVALID = 3;
const EXHAUSTED = 8;

const invalid = (message: string): GatewayError => new GatewayError(400, INVALID, message);
const requireKey = (key: Bytes): Bytes => {
  if (key === '') throw invalid('etcdserver: key is not provided');
  return key;
};

function bytesIn(value: unknown): Bytes {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw invalid('illegal base64 data at input byte 0');
  try {
    return fromArray(decodeBase64(value));
  } catch {
    throw invalid('illegal base64 data at input byte 0');
  }
}
const base64 = (bytes: Bytes): string => encodeBase64(toBytes(bytes));

const rangeOf = (body: Json): Range => ({ key: requireKey(bytesIn(body['key'])), end: bytesIn(body['range_end']) });

const TARGETS: Readonly<Record<Target, string>> = {
  VERSION: 'version',
  CREATE: 'create_revision',
  MOD: 'mod_revision',
  VALUE: 'value',
};
const RESULTS = ['EQUAL', 'GREATER', 'LESS', 'NOT_EQUAL'] as const;

/** Throws when there is no room for what is to be written. */
function requireRoom({ keys }: Store, operations: readonly Operation[]): void {
  const values = operations.flatMap((one) => (one.type === 'put' ? [one.value.length + one.key.length] : []));
  if (values.length === 0) return;
  if (values.some((size) => size > MAX_VALUE)) throw invalid('etcdserver: request is too large');
  const held = Object.entries(keys).reduce((sum, [key, { value }]) => sum + key.length + value.length, 0);
  if (values.reduce((sum, size) => sum + size, held) > QUOTA)
    throw new GatewayError(429, EXHAUSTED, 'etcdserver: mvcc: database space exceeded');
}

function carryOut(store: Store, operations: readonly Operation[]): Result[] {
  requireRoom(store, operations);
  return applyAll(store, operations);
}

function compareOf(body: Json): Compare {
  const target = (body['target'] ?? 'VERSION') as Target;
  const result = (body['result'] ?? 'EQUAL') as Compare['result'];
  if (!Object.hasOwn(TARGETS, target) || !RESULTS.includes(result)) throw invalid('unknown value of an enum');
  const operand = body[TARGETS[target]];
  return {
    ...{ key: requireKey(bytesIn(body['key'])), target, result },
    operand: target === 'VALUE' ? bytesIn(operand) : Number(operand ?? 0),
  };
}

function operationOf(body: Json): Operation {
  const { request_put: put, request_delete_range: remove, request_range: range } = body as Record<string, Json>;
  if (put) return { type: 'put', key: requireKey(bytesIn(put['key'])), value: bytesIn(put['value']) };
  if (remove) return { type: 'delete', range: rangeOf(remove) };
  if (range) return { type: 'range', range: rangeOf(range) };
  throw invalid('etcdserver: key is not found');
}

const listOf = (value: unknown): readonly Json[] => {
  const list = Array.isArray(value) ? (value as readonly Json[]) : [];
  if (list.length > MAX_OPERATIONS) throw invalid('etcdserver: too many operations in txn request');
  return list;
};

const showKey = ([key, { value, created, modified, version }]: readonly [Bytes, KeyValue]): Json => ({
  key: base64(key),
  create_revision: String(created),
  mod_revision: String(modified),
  version: String(version),
  value: base64(value),
});

function showFound(found: readonly (readonly [Bytes, KeyValue])[], body: Json = {}): Json {
  const limit = Number(body['limit'] ?? 0) || found.length;
  const shown = body['count_only'] === true ? [] : found.slice(0, limit).map(showKey);
  return {
    ...(shown.length > 0 ? { kvs: shown } : {}),
    ...(body['count_only'] !== true && found.length > limit ? { more: true } : {}),
    ...(found.length > 0 ? { count: String(found.length) } : {}),
  };
}

function showResult(result: Result, header: Json): Json {
  if (result.type === 'range') return { response_range: { header, ...showFound(result.found) } };
  if (result.type === 'put') return { response_put: { header } };
  return { response_delete_range: { header, ...(result.count > 0 ? { deleted: String(result.count) } : {}) } };
}

const headerOf = ({ revision }: Store): Json => ({
  ...{ cluster_id: '14841639068965178418', member_id: '10276657743932975437' },
  ...{ revision: String(revision), raft_term: '2' },
});

const ROUTES: Readonly<Record<string, (store: Store, body: Json) => Json>> = {
  '/v3/kv/range'(store, body) {
    const [result] = applyAll(store, [{ type: 'range', range: rangeOf(body) }]);
    return { header: headerOf(store), ...showFound(result?.type === 'range' ? result.found : [], body) };
  },
  '/v3/kv/put'(store, body) {
    carryOut(store, [operationOf({ request_put: body })]);
    return { header: headerOf(store) };
  },
  '/v3/kv/deleterange'(store, body) {
    const [result] = applyAll(store, [{ type: 'delete', range: rangeOf(body) }]);
    const count = result?.type === 'delete' ? result.count : 0;
    return { header: headerOf(store), ...(count > 0 ? { deleted: String(count) } : {}) };
  },
  '/v3/kv/txn'(store, body) {
    const succeeded = listOf(body['compare'])
      .map(compareOf)
      .every((one) => holds(store, one));
    const results = carryOut(store, listOf(body[succeeded ? 'success' : 'failure']).map(operationOf));
    const header = headerOf(store);
    return {
      header,
      ...(succeeded ? { succeeded } : {}),
      ...(results.length > 0
        ? { responses: results.map((one) => showResult(one, { revision: header['revision'] })) }
        : {}),
    };
  },
  '/v3/maintenance/status': (store) => ({
    ...{ header: headerOf(store), version: VERSION, dbSize: '20480', leader: '10276657743932975437' },
    ...{ raftIndex: String(store.revision + 3), raftTerm: '2', raftAppliedIndex: String(store.revision + 3) },
    dbSizeInUse: '16384',
  }),
};

export const VERSION = '3.6.4';

/**
 * Answers a POST of etcd's JSON gateway; undefined for a path that is not simulated. Throws GatewayError. Models
 * etcd's api/etcdserverpb/gw over server/etcdserver/v3_server.go. Left out: leases, watches, older revisions,
 * authentication, members.
 */
export function answerGateway(store: Store, path: Bytes, body: Bytes): Json | undefined {
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  return route?.(store, parse(body));
}

function parse(body: Bytes): Json {
  try {
    const value: unknown = JSON.parse(textOf(body) || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalid('proto: syntax error (line 1:1): unexpected token');
}
