import type { BodyResponse } from '../../../machinery/requests/http.js';
import { isBuiltIn, type Kind } from '../../../machinery/kind.js';
import { keyOf, keyText, type KubeObject } from '../../../machinery/meta/object.js';
import { ApiError, badRequest, gone } from '../../../machinery/meta/status.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Call } from '../../call.js';
import { listOptions, parseRevision, type ListOptions } from '../../request/options.js';
import { parseSelection, selects, selectsAll, type Selection } from '../../request/select.js';
import {
  ContinueTokenExpired,
  CURRENT_REVISION,
  decodeContinue,
  encodeContinue,
  isCompacted,
} from './continue-token.js';
import { listResponse } from './list-response.js';
import { findSnapshot, keepSnapshot } from './snapshots.js';

/** GET of a collection. Models apiserver/pkg/storage/etcd3 GetList and its resourceVersion rules. */
export function list(call: Call): BodyResponse {
  const options = listOptions(call.query, false);
  const selection = parseSelection(call.kind, call.namespace, call.query);
  const page = options.continueToken ? continueList(call, selection, options) : beginList(call, selection, options);
  return listResponse(call, page.objects, listMeta(call, page));
}

interface Page {
  readonly objects: readonly KubeObject[];
  readonly revision: number;
  /** The virtual time of the first page. */
  readonly listedAt: Millis;
  /** 'namespace/name' of the last object, when more follow. */
  readonly next?: string;
  /** How many more follow, when no selector makes that unknown. */
  readonly remaining?: number;
}

function listMeta({ kind, output }: Call, { revision, listedAt, next, remaining }: Page): Record<string, unknown> {
  // Lists of custom objects say that there is no next page; the lists of Go's types leave it out.
  const isUnstructured = !isBuiltIn(kind) && output.shape === 'object';
  const metadata: Record<string, unknown> = {
    ...(isUnstructured ? { continue: '' } : {}),
    resourceVersion: String(revision),
  };
  if (next === undefined) return metadata;
  metadata['continue'] = encodeContinue({ revision, start: next, listedAt });
  if (remaining !== undefined) metadata['remainingItemCount'] = remaining;
  return metadata;
}

/** The first page, at the revision that the options ask for. Throws 410 for one that is no longer known, 504. */
function beginList(call: Call, selection: Selection, options: ListOptions): Page {
  const { state } = call.server;
  const requested = parseRevision(options.resourceVersion);
  if (requested !== undefined) checkRevision(requested, state.revision);
  // The watch cache, which answers for revision 0, knows no limit.
  const limit = requested === 0 ? 0 : options.limit;
  if (!isExact(options, requested, limit) || requested === state.revision)
    return takePage(call, selection, {
      objects: currentObjects(call, selection),
      revision: state.revision,
      listedAt: state.now,
      limit,
    });
  const objects = listAt(call, requested!);
  if (!objects) throw gone('The resourceVersion for the provided list is too old.');
  return takePage(call, selection, { objects, revision: requested!, listedAt: state.now, limit });
}

/** Whether the list is to be of this very revision, not of a newer one. */
const isExact = ({ resourceVersionMatch }: ListOptions, requested: number | undefined, limit: number): boolean =>
  Boolean(requested) && (resourceVersionMatch === 'Exact' || (limit > 0 && !resourceVersionMatch));

/** The page that a token continues with. Throws 400 for a bad token, 410 with a new one when it is too old. */
function continueList(call: Call, selection: Selection, options: ListOptions): Page {
  const { state } = call.server;
  const token = decodeContinue(options.continueToken);
  const { revision, start, listedAt = state.now } = token;
  if (options.resourceVersion && options.resourceVersion !== '0')
    throw badRequest('specifying resource version is not allowed when using continue');
  const { limit } = options;
  if (revision === CURRENT_REVISION)
    return takePage(call, selection, {
      objects: currentObjects(call, selection),
      revision: state.revision,
      listedAt: state.now,
      limit,
      start,
    });
  if (isCompacted(token, state.now)) throw new ContinueTokenExpired(start);
  if (revision === state.revision)
    return takePage(call, selection, { objects: currentObjects(call, selection), revision, listedAt, limit, start });
  const objects = findSnapshot(call, revision) ?? listAt(call, revision);
  if (!objects) throw new ContinueTokenExpired(start);
  return takePage(call, selection, { objects, revision, listedAt, limit, start });
}

/** Throws 504 for a revision that is yet to come. Models storage/errors.go NewTooLargeResourceVersionError. */
function checkRevision(requested: number, current: number): void {
  if (requested <= current) return;
  throw new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

const storedKind = ({ kind }: Call): Kind => kind.storedAs?.kind ?? kind;

const listAt = (call: Call, revision: number): readonly KubeObject[] | undefined =>
  call.server.state.listAt(storedKind(call), call.namespace || undefined, revision);

/** The objects of the collection now; one at most, when the selection is of one name. */
function currentObjects(call: Call, selection: Selection): readonly KubeObject[] {
  const { state } = call.server;
  const kind = storedKind(call);
  const isNamed = selection.name !== undefined && (call.namespace || kind.scope === 'Cluster');
  if (!isNamed) return state.list(kind, call.namespace || undefined);
  const object = state.get(kind, { namespace: call.namespace, name: selection.name! });
  return object ? [object] : [];
}

interface Pagination {
  /** The whole collection at the revision, by namespace and name. */
  readonly objects: readonly KubeObject[];
  readonly revision: number;
  readonly listedAt: Millis;
  /** 0 means all. */
  readonly limit: number;
  /** 'namespace/name' of the last object of the page before. */
  readonly start?: string;
}

function takePage(call: Call, selection: Selection, pagination: Pagination): Page {
  const { objects: all, revision, listedAt, limit, start } = pagination;
  const from = start === undefined ? 0 : indexAfter(all, start);
  const isUnfiltered = selectsAll(selection);
  if (isUnfiltered && (limit === 0 || all.length - from <= limit))
    return { objects: from === 0 ? all : all.slice(from), revision, listedAt };
  const objects: KubeObject[] = [];
  for (let i = from; i < all.length; i++) {
    const object = all[i]!;
    if (!isUnfiltered && !selects(selection, object)) continue;
    if (limit > 0 && objects.length === limit) {
      keepSnapshot(call, revision, all);
      const next = keyText(keyOf(objects[limit - 1]!));
      return { objects, revision, listedAt, next, ...(isUnfiltered ? { remaining: all.length - from - limit } : {}) };
    }
    objects.push(object);
  }
  return { objects, revision, listedAt };
}

/** The index of the first object behind 'namespace/name', in the state's order. */
function indexAfter(all: readonly KubeObject[], start: string): number {
  const slash = start.indexOf('/');
  const [namespace, name] = slash < 0 ? ['', start] : [start.slice(0, slash), start.slice(slash + 1)];
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const key = keyOf(all[middle]!);
    if (key.namespace < namespace || (key.namespace === namespace && key.name <= name)) low = middle + 1;
    else high = middle;
  }
  return low;
}
