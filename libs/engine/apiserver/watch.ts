import type { AppliedChange, WatchResponse } from '../machinery/http.js';
import type { KubeObject } from '../machinery/object.js';
import { apiVersionOf } from '../machinery/object.js';
import { gone } from '../machinery/status.js';
import type { Call } from './call.js';
import { listOptions, parseRevision, type ListOptions } from './options.js';
import { inVersion, objectText, partialText } from './print.js';
import { selection, selects, type Selection } from './select.js';
import { includeObject, tableText, type IncludeObject } from './table.js';

const MIN_TIMEOUT_SECONDS = 1_800;
const MAX_TIMEOUT_SECONDS = 24 * 3_600;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
const frame = (type: EventType, text: string): string => `{"type":"${type}","object":${text}}\n`;

/** GET with watch: the plan that the host runs. Models apiserver/pkg/endpoints/handlers/watch.go and the watch cache. */
export function watch(call: Call): WatchResponse {
  const options = listOptions(call.query, true);
  const chosen = selection(call.kind, call.namespace, call.query, call.name);
  const printer = new FramePrinter(call, includeObject(call.query.text('includeObject')));
  const { state } = call.server;
  const asked = parseRevision(call.kind, options.resourceVersion);
  const fromNow = asked === undefined || asked === 0 || options.sendInitialEvents === true;
  const wantsState = options.sendInitialEvents ?? fromNow;
  const initial = wantsState ? initialFrames(call, chosen, options, printer) : [];
  return {
    type: 'watch',
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private' },
    resource: state.resourceOf(call.kind),
    fromRevision: fromNow ? state.revision : asked!,
    initial,
    shareKey: shareKey(call),
    encode: (change) => encode(chosen, printer, change),
    bookmark: (revision) => (options.allowWatchBookmarks ? frame('BOOKMARK', printer.bookmark(revision, false)) : undefined),
    expired: (requested, oldest) => frame('ERROR', JSON.stringify(gone(`too old resource version: ${requested} (${oldest})`).toStatus())),
    timeoutSeconds: timeout(options, state.revision),
  };
}

function initialFrames(call: Call, chosen: Selection, options: ListOptions, printer: FramePrinter): string[] {
  const { state } = call.server;
  const all = state.list(call.kind.storedAs?.kind ?? call.kind, call.namespace || undefined);
  const frames = all.filter((o) => selects(chosen, o)).map((o) => frame('ADDED', printer.object(o, call.now)));
  if (options.sendInitialEvents && options.allowWatchBookmarks) frames.push(frame('BOOKMARK', printer.bookmark(state.revision, true)));
  return frames;
}

/** An object that stops matching looks deleted, one that starts to looks added. */
function encode(chosen: Selection, printer: FramePrinter, change: AppliedChange): string | undefined {
  const { old, object } = change;
  const before = old !== undefined && selects(chosen, old);
  const after = change.type === 'put' && selects(chosen, object);
  if (after) return frame(before ? 'MODIFIED' : 'ADDED', printer.object(object, change.at));
  if (!before) return undefined;
  const last = change.type === 'delete' ? object : { ...old, metadata: { ...old.metadata, resourceVersion: String(change.revision) } };
  return frame('DELETED', printer.object(last, change.at));
}

/** Prints the objects of frames in the shape that the watch asked for. */
class FramePrinter {
  constructor(
    private readonly call: Call,
    private readonly include: IncludeObject,
  ) {}

  object(stored: KubeObject, now: number): string {
    const { kind, output } = this.call;
    const object = inVersion(kind, stored);
    if (output.shape === 'partial') return partialText(object, output.metaVersion);
    if (output.shape === 'object') return objectText(kind, object);
    return tableText(kind, [object], now, { metaVersion: output.metaVersion, include: this.include, metadata: JSON.stringify({ resourceVersion: object.metadata.resourceVersion }) });
  }

  bookmark(revision: number, endsInitial: boolean): string {
    const { kind, output, now } = this.call;
    const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...(endsInitial ? { annotations: { [INITIAL_EVENTS_END]: 'true' } } : {}) };
    if (output.shape === 'table') {
      if (!endsInitial) return tableText(kind, [], now, { metaVersion: output.metaVersion, include: this.include, metadata: JSON.stringify({ resourceVersion: String(revision) }) });
      return tableText(kind, [], now, { metaVersion: output.metaVersion, include: this.include, metadata: JSON.stringify({ resourceVersion: String(revision) }) })
        .replace(/"rows":\[\]\}$/, `"rows":[{"cells":[],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${output.metaVersion}","metadata":${JSON.stringify(metadata)}}}]}`);
    }
    const [apiVersion, name] = output.shape === 'partial' ? [`meta.k8s.io/${output.metaVersion}`, 'PartialObjectMetadata'] : [apiVersionOf(kind.group, kind.version), kind.kind];
    return JSON.stringify({ kind: name, apiVersion, metadata });
  }
}

/** Spread between half an hour and an hour, as upstream's, so that watches do not all end at once. */
function timeout(options: ListOptions, revision: number): number {
  const asked = options.timeoutSeconds;
  if (asked !== undefined && asked > 0) return Math.min(asked, MAX_TIMEOUT_SECONDS);
  return MIN_TIMEOUT_SECONDS + ((revision * 7_919) % MIN_TIMEOUT_SECONDS);
}

function shareKey(call: Call): string {
  const { kind, namespace, name, query, output } = call;
  const parts = [kind.group, kind.version, kind.plural, namespace, name, query.text('labelSelector'), query.text('fieldSelector'), output.shape, output.metaVersion];
  if (output.shape === 'table') parts.push(query.text('includeObject'));
  return parts.join('\u0000');
}
