import type { AppliedChange, WatchResponse } from '../../../machinery/requests/http.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { ApiError, gone } from '../../../machinery/meta/status.js';
import type { Call } from '../../call.js';
import { MEDIA_TYPE } from '../../request/negotiate.js';
import { listOptions, parseRevision, type ListOptions } from '../../request/options.js';
import { parseSelection, selects, type Selection } from '../../request/select.js';
import { convertListToVersion } from '../../response/conversion.js';
import { parseIncludeObject } from '../../response/table.js';
import { warningHeaders } from '../../response/writers.js';
import { FramePrinter, type Frame } from './watch-frames.js';

const MIN_TIMEOUT_SECONDS = 1_800;
const MAX_TIMEOUT_SECONDS = 24 * 3_600;

/**
 * GET with watch: the plan by which the host streams events. Models apiserver/pkg/endpoints/handlers/watch.go and the
 * watch cache.
 */
export function watch(call: Call): WatchResponse {
  const options = listOptions(call.query, true);
  const selection = parseSelection(call.kind, call.namespace, call.query, call.name);
  const printer = new FramePrinter(call, parseIncludeObject(call.query.text('includeObject')));
  const { state } = call.server;
  const requested = parseRevision(options.resourceVersion);
  const startsNow = requested === undefined || requested === 0 || options.sendInitialEvents === true;
  const sendsInitialEvents = options.sendInitialEvents ?? startsNow;
  const initial = sendsInitialEvents ? initialFrames(call, selection, options, printer) : [];
  const isTableDefined = printer.endInitial();
  return {
    type: 'watch',
    status: 200,
    headers: {
      'content-type': call.output.format === 'protobuf' ? `${MEDIA_TYPE.protobuf};stream=watch` : MEDIA_TYPE.json,
      'cache-control': 'no-cache, private',
      ...warningHeaders(call.warnings),
    },
    resource: state.resourceOf(call.kind),
    fromRevision: startsNow ? state.revision : requested,
    initial,
    shareKey: shareKey(call, isTableDefined),
    encode: (change) => encodeChange(selection, printer, change),
    bookmark: (revision) => (options.allowWatchBookmarks ? printer.bookmark(revision, false) : undefined),
    expired: (revision, oldest) => printer.error(gone(`too old resource version: ${revision} (${oldest})`)),
    timeoutSeconds: timeoutOf(options, state.revision),
  };
}

/** Printed when they are taken; of Tables at once, since the first one defines the columns of those that follow. */
function initialFrames(call: Call, selection: Selection, options: ListOptions, printer: FramePrinter): Iterable<Frame> {
  const { state } = call.server;
  const all = state.list(call.kind.storedAs?.kind ?? call.kind, call.namespace || undefined);
  const selected = all.filter((o) => selects(selection, o));
  // Converts all objects in one call of a conversion webhook; the printer finds the results.
  if (call.kind.fromStored) convertListToVersion(call.kind, selected);
  const { revision } = state;
  const endsWithBookmark = options.sendInitialEvents && options.allowWatchBookmarks;
  function* print(): Iterable<Frame> {
    for (const object of selected) yield printer.event('ADDED', object, call.now);
    if (endsWithBookmark) yield printer.bookmark(revision, true);
  }
  return call.output.shape === 'table' ? [...print()] : { [Symbol.iterator]: () => print()[Symbol.iterator]() };
}

/** The frame of a change; an ERROR when a conversion webhook fails, undefined when the watch does not select it. */
function encodeChange(selection: Selection, printer: FramePrinter, change: AppliedChange): Frame | undefined {
  try {
    return encodeSelected(selection, printer, change);
  } catch (error) {
    if (error instanceof ApiError) return printer.error(error);
    throw error;
  }
}

/** An object that stops matching is DELETED, one that begins to match ADDED. */
function encodeSelected(selection: Selection, printer: FramePrinter, change: AppliedChange): Frame | undefined {
  const { old, object } = change;
  const matchedBefore = old !== undefined && selects(selection, old);
  const matchesNow = change.type === 'put' && selects(selection, object);
  if (matchesNow) return printer.event(matchedBefore ? 'MODIFIED' : 'ADDED', object, change.at);
  if (!matchedBefore) return undefined;
  const last = change.type === 'delete' ? object : atRevision(old, change.revision);
  return printer.event('DELETED', last, change.at);
}

const atRevision = (object: KubeObject, revision: number): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(revision) },
});

/** Seconds until the watch ends: between half an hour and an hour, as upstream, so that not all watches end at once. */
function timeoutOf({ timeoutSeconds: requested }: ListOptions, revision: number): number {
  if (requested !== undefined && requested > 0) return Math.min(requested, MAX_TIMEOUT_SECONDS);
  return MIN_TIMEOUT_SECONDS + ((revision * 7_919) % MIN_TIMEOUT_SECONDS);
}

/** Watches with the same key get the same frames, so that the host encodes each once. */
function shareKey(call: Call, isTableDefined: boolean): string {
  const { kind, namespace, name, query, output } = call;
  const parts = [
    kind.group,
    kind.version,
    kind.plural,
    namespace,
    name,
    query.text('labelSelector'),
    query.text('fieldSelector'),
    output.format,
    output.shape,
    output.metaVersion,
  ];
  if (output.shape === 'table') parts.push(query.text('includeObject'), String(isTableDefined));
  return parts.join('\u0000');
}
