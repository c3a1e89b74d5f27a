import { bytesOf, textOf, type Bytes, fromArray } from '../../../engine/kernel/bytes.js';
import { OUTSIDE_ADDRESS } from '../../../engine/kernel/sessions/open.js';
import { handle } from '../../../engine/apiserver/handle.js';
import { Store } from '../../../engine/apiserver/registry/store.js';
import type { ApiRequest, ApiResponse, AppliedChange, WatchResponse } from '../../../engine/machinery/requests/http.js';
import { kinds } from '../../../engine/kinds/index.js';
import { forbidden } from '../../../engine/machinery/meta/status.js';
import type { User } from '../../../engine/machinery/client.js';
import type { KubeObject, Unstructured } from '../../../engine/machinery/meta/object.js';
import { toBytes } from '../../../engine/machinery/text/latin1.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import type { AdmissionPlugin } from '../../../engine/runtime/admission.js';
import { State } from '../../../engine/runtime/state/state.js';
import type { AnswerParts, HttpRequest } from '../http.js';
import type { Connection } from '../serve.js';
import { FISCHER, registry } from './kinds.js';

/** An object of the server, and the resource that it is stored as. */
export type Held = { readonly resource: string; readonly object: KubeObject };

/** All that is in etcd, at one revision. */
export type Contents = { readonly revision: number; readonly objects: readonly Held[] };

export const NOTHING: Contents = { revision: 1, objects: [] };

/** What a request has led to: an answer that holds once the changes are stored, or a watch. */
export type Outcome =
  | { readonly type: 'answer'; readonly answer: AnswerParts; readonly changes: readonly AppliedChange[] }
  | { readonly type: 'watch'; readonly watch: WatchResponse };

/** Of the engine's own kinds the machinery asks by index, also where there are none. */
const INDEXED = kinds.filter(({ indexes, storedAs }) => indexes && !storedAs);

/** What paths anybody may ask, by --authorization-always-allow-paths and system:public-info-viewer. */
const OPEN_PATHS = /^\/(?:healthz|livez|readyz|version)(?:\/|$)/;
/** Rights are the aggregator's question, which has asked for its user. */
const ASKED = 'system:masters';

/** The cluster's API server comes from outside; it alone has the certificate of the request header proxy. */
const AGGREGATOR = OUTSIDE_ADDRESS;

/** The request, without what only the aggregator may say of its user. */
export function trusted(request: HttpRequest, { address }: Pick<Connection, 'address'>): HttpRequest {
  if (address === AGGREGATOR) return request;
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith('x-remote-'));
  return { ...request, headers: Object.fromEntries(headers) };
}

/** Whose request it is, by the headers of a request header proxy. */
function userOf({ headers, route }: HttpRequest): User | undefined {
  const name = headers['x-remote-user'];
  if (name === undefined)
    return OPEN_PATHS.test(route) ? { name: 'system:anonymous', groups: ['system:unauthenticated', ASKED] } : undefined;
  return { name, groups: [...(headers['x-remote-group'] ?? '').split(',').filter(Boolean), ASKED] };
}

/** Flunders whose names a fischer does not allow. Models pkg/admission/plugin/banflunder. */
const banFlunder: AdmissionPlugin = {
  name: 'BanFlunder',
  resources: ['flunders.wardle.example.com'],
  validate({ operation, kind, name, client }) {
    if (operation !== 'CREATE') return;
    for (const fischer of client.list(FISCHER) as readonly Unstructured[]) {
      const names = (fischer['disallowedFlunders'] ?? []) as readonly string[];
      if (names.includes(name))
        throw forbidden(kind, name, 'this name may not be used, please change the resource name');
    }
  },
};

/** No field of these kinds has a merge strategy: what comes out is the same. */
const STRATEGIC = 'application/strategic-merge-patch+json';
const MERGE = 'application/merge-patch+json';

/** Bytes of HTTP as the API server's machinery takes them. */
function requestOf(request: HttpRequest, queryText: string): ApiRequest {
  const user = userOf(request);
  const { authorization: _credentials, ...sent } = request.headers;
  const headers = sent['content-type'] === STRATEGIC ? { ...sent, 'content-type': MERGE } : sent;
  return {
    ...{ method: request.method, path: textOf(request.route), query: queryText, headers },
    ...(user ? { user } : {}),
    ...(request.body === '' ? {} : { body: toBytes(request.body) }),
  };
}

/**
 * Serves one request over what etcd holds, by the engine's own API server: `seed` is what names and uids follow from.
 * Models k8s.io/sample-apiserver. Left out: namespaces that are not there, reviews of tokens and rights of those that
 * do not come through the aggregator.
 */
export function serveApi(
  request: HttpRequest,
  contents: Contents,
  seed: string,
  now: Millis,
  query: string = textOf(request.queryText),
): Outcome {
  const state = new State({ revision: contents.revision, now });
  for (const kind of INDEXED)
    for (const [name, of] of Object.entries(kind.indexes!)) state.addIndex(state.resourceOf(kind), name, of);
  for (const { resource, object } of contents.objects) state.load(resource, object);
  const mark = state.mark();
  const writer = new Store(state, registry, [banFlunder], { seed });
  const response = handle({ state, registry, writer }, requestOf(request, query), now);
  if (response.type === 'watch') return { type: 'watch', watch: response };
  return { type: 'answer', answer: answerOf(response), changes: state.since(mark) };
}

function answerOf(response: ApiResponse): AnswerParts {
  if (response.type !== 'body') return { status: 501 };
  const { status, headers, body } = response;
  return { status, headers, body: bodyOf(body) };
}

export const bodyOf = (body: string | Uint8Array): Bytes =>
  typeof body === 'string' ? bytesOf(body) : fromArray(body);

/** Whether a request is about objects, which are in etcd. */
export const needsStore = ({ route }: HttpRequest): boolean =>
  /^\/apis\/wardle\.example\.com\/v1(?:alpha|beta)1\/[^/]/.test(route);
