import type { BodyResponse } from '../../machinery/http.js';
import type { Kind } from '../../machinery/kind.js';
import { keyText, type KubeObject } from '../../machinery/meta/object.js';
import { ApiError, badRequest, gone } from '../../machinery/meta/status.js';

import type { Call } from '../call.js';
import { decodeToken, encodeList, encodeToken } from '../request/codec.js';
import { MEDIA_TYPE } from '../request/negotiate.js';
import { listOptions, parseRevision, type ListOptions } from '../request/options.js';
import { allInVersion, isBuiltIn, itemText, partialText } from '../response/print.js';
import { finish, seen } from '../response/respond.js';
import { selection, selects, selectsAll, type Selection } from '../request/select.js';
import type { State } from '../../runtime/state.js';
import { syntaxFault } from '../../schema/index.js';
import { includeObject, tableText } from '../response/table.js';
import { apiVersionOf } from '../../machinery/meta/object.js';

/** GET of a collection. Models apiserver/pkg/storage/etcd3 GetList and its resourceVersion rules. */
export function list(call: Call): BodyResponse {
  const options = listOptions(call.query, false);
  const chosen = selection(call.kind, call.namespace, call.query);
  const page = takePage(call, chosen, options);
  const metadata: Record<string, unknown> = {
    ...(isBuiltIn(call.kind) || call.output.shape !== 'object' ? {} : { continue: '' }),
    resourceVersion: String(page.revision),
  };
  if (page.next !== undefined) metadata['continue'] = encodeContinue(page.revision, page.next);
  if (page.next !== undefined && page.remaining !== undefined) metadata['remainingItemCount'] = page.remaining;
  return listResponse(call, page.objects, metadata);
}

/** Objects as a list of the call's shape and format. */
export function listResponse(
  call: Call,
  stored: readonly KubeObject[],
  metadata: Readonly<Record<string, unknown>>,
): BodyResponse {
  const { kind, output } = call;
  const objects =
    kind.storedAs || kind.fromStored || kind.asOf ? allInVersion(kind, stored).map((o) => seen(call, o)) : stored;
  const meta = JSON.stringify(metadata);
  if (output.shape === 'table') {
    return finish(
      call,
      200,
      tableText(kind, objects, call.now, {
        metaVersion: output.metaVersion,
        include: includeObject(call.query.text('includeObject')),
        metadata: meta,
      }),
    );
  }
  if (output.shape === 'partial') {
    const items = objects.map((o) => partialText(kind, o, output.metaVersion)).join(',');
    return finish(
      call,
      200,
      `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${output.metaVersion}","metadata":${meta},"items":[${items}]}`,
    );
  }
  if (output.format === 'protobuf') {
    return {
      type: 'body',
      status: 200,
      headers: { 'content-type': MEDIA_TYPE.protobuf, 'cache-control': 'no-cache, private' },
      body: encodeList(kind, objects, metadata),
    };
  }
  const items = objects.map((o) => itemText(kind, o)).join(',');
  return finish(
    call,
    200,
    `{"kind":"${kind.kind}List","apiVersion":"${apiVersionOf(kind.group, kind.version)}","metadata":${meta},"items":[${items}]}`,
  );
}

interface Page {
  readonly objects: readonly KubeObject[];
  readonly revision: number;
  /** Key of the last object, when there are more. */
  readonly next?: string;
  readonly remaining?: number;
}

function takePage(call: Call, chosen: Selection, options: ListOptions): Page {
  const { state } = call.server;
  if (options.continueToken) return continued(call, chosen, options);
  const asked = parseRevision(options.resourceVersion);
  // As the watch cache, which answers these, knows no limit.
  const limit = asked === 0 ? 0 : options.limit;
  if (asked !== undefined) checkRevision(asked, state.revision);
  const exact =
    asked !== undefined &&
    asked !== 0 &&
    (options.resourceVersionMatch === 'Exact' || (limit > 0 && !options.resourceVersionMatch));
  if (!exact || asked === state.revision)
    return cut(state, candidates(call, chosen), chosen, limit, state.revision, '', call);
  const then = listAt(call, asked);
  if (!then) throw gone('The resourceVersion for the provided list is too old.');
  return cut(state, then, chosen, limit, asked, '', call);
}

const storedKind = ({ kind }: Call): Kind => kind.storedAs?.kind ?? kind;
const listAt = (call: Call, revision: number): readonly KubeObject[] | undefined =>
  call.server.state.listAt(storedKind(call), call.namespace || undefined, revision);

function candidates(call: Call, chosen: Selection): readonly KubeObject[] {
  const { state } = call.server;
  const kind = storedKind(call);
  const named = chosen.name !== undefined && (call.namespace || kind.scope === 'Cluster');
  if (!named) return state.list(kind, call.namespace || undefined);
  const object = state.get(kind, { namespace: call.namespace, name: chosen.name! });
  return object ? [object] : [];
}

function cut(
  state: State,
  all: readonly KubeObject[],
  chosen: Selection,
  limit: number,
  revision: number,
  after: string,
  call: Call,
): Page {
  const from = after === '' ? 0 : firstAfter(all, after);
  const everything = selectsAll(chosen);
  if (everything && (limit === 0 || all.length - from <= limit))
    return { objects: from === 0 ? all : all.slice(from), revision };
  const objects: KubeObject[] = [];
  for (let i = from; i < all.length; i++) {
    const object = all[i]!;
    if (!everything && !selects(chosen, object)) continue;
    if (limit > 0 && objects.length === limit) {
      keepSnapshot(state, call, revision, all);
      return {
        objects,
        revision,
        next: textOf(objects[limit - 1]!),
        ...(everything ? { remaining: all.length - from - limit } : {}),
      };
    }
    objects.push(object);
  }
  return { objects, revision };
}

const textOf = (object: KubeObject): string =>
  keyText({ namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' });

/** Index of the first object whose key is behind `after`, in the state's order (by namespace, then name). */
function firstAfter(all: readonly KubeObject[], after: string): number {
  const slash = after.indexOf('/');
  const [namespace, name] = slash < 0 ? ['', after] : [after.slice(0, slash), after.slice(slash + 1)];
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { namespace: ns = '', name: n = '' } = all[middle]!.metadata;
    if (ns < namespace || (ns === namespace && n <= name)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// ---- continue ----

const TOO_OLD_TO_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function continued(call: Call, chosen: Selection, options: ListOptions): Page {
  const { state } = call.server;
  const token = decodeContinue(options.continueToken);
  if (options.resourceVersion && options.resourceVersion !== '0')
    throw badRequest('specifying resource version is not allowed when using continue');
  const current = token.revision === -1 || token.revision === state.revision;
  const all = current
    ? candidates(call, chosen)
    : (snapshots.get(state)?.get(snapshotKey(call, token.revision)) ?? listAt(call, token.revision));
  if (!all) throw new TooOldToContinue(encodeContinue(-1, token.start));
  return cut(state, all, chosen, options.limit, current ? state.revision : token.revision, token.start, call);
}

/** 410 with a token that goes on inconsistently, as upstream gives after a compaction. */
class TooOldToContinue extends ApiError {
  constructor(private readonly next: string) {
    super(410, 'Expired', TOO_OLD_TO_CONTINUE);
  }
  override toStatus(): ReturnType<ApiError['toStatus']> {
    return { ...super.toStatus(), metadata: { continue: this.next } };
  }
}

const MAX_TOKEN = 2_048;
const TOKEN_VERSION = 'meta.k8s.io/v1';
const encodeContinue = (revision: number, start: string): string =>
  encodeToken(JSON.stringify({ v: TOKEN_VERSION, rv: revision, start: `${start}\u0000` }));

/** Models apiserver/pkg/storage/continue.go DecodeContinue. */
function decodeContinue(token: string): { revision: number; start: string } {
  const invalid = (why: string): ApiError => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  if (token.length > MAX_TOKEN) throw invalid('the token is too long');
  const { text, fault } = decodeToken(token);
  if (fault !== undefined) throw invalid(`illegal base64 data at input byte ${fault}`);
  let fields: { v?: unknown; rv?: unknown; start?: unknown } | null;
  try {
    fields = JSON.parse(text) as typeof fields;
  } catch {
    throw invalid(syntaxFault(text));
  }
  const { v = '', rv = 0, start = '' } = fields ?? {};
  if (v !== TOKEN_VERSION) throw invalid(`server does not recognize this encoded version ${String(v)}`);
  if (typeof rv !== 'number' || rv === 0)
    throw invalid(`incorrect encoded start resourceVersion (version ${TOKEN_VERSION})`);
  if (typeof start !== 'string' || start === '') throw invalid(`encoded start key empty (version ${TOKEN_VERSION})`);
  if (start.split('/').includes('..')) throw invalid(start);
  return { revision: rv, start: start.replace(/\u0000$/, '') };
}

/** Lists that were cut, by revision, so that their next pages are consistent while this process remembers them. */
const snapshots = new WeakMap<State, Map<string, readonly KubeObject[]>>();
const MAX_SNAPSHOTS = 32;

const snapshotKey = (call: Call, revision: number): string =>
  `${revision} ${call.server.state.resourceOf(call.kind)} ${call.namespace}`;

function keepSnapshot(state: State, call: Call, revision: number, all: readonly KubeObject[]): void {
  let kept = snapshots.get(state);
  if (!kept) snapshots.set(state, (kept = new Map()));
  const key = snapshotKey(call, revision);
  kept.delete(key);
  kept.set(key, all);
  if (kept.size > MAX_SNAPSHOTS) kept.delete(kept.keys().next().value!);
}

// ---- resourceVersion ----

/** Throws what upstream answers when the state cannot be read at a revision. */
export function checkRevision(asked: number, current: number): void {
  if (asked > current)
    throw new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
}
