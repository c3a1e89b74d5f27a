import type { AppliedChange, WatchResponse } from '../../machinery/http.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { apiVersionOf } from '../../machinery/meta/object.js';
import { ApiError, gone } from '../../machinery/meta/status.js';
import { encodeProtobuf, encodeWatchFrame } from '../../schema/index.js';
import type { Call } from '../call.js';
import { encodeObject } from '../request/codec.js';
import { MEDIA_TYPE } from '../request/negotiate.js';
import { listOptions, parseRevision, type ListOptions } from '../request/options.js';
import { allInVersion, inVersion, objectText, partialText } from '../response/print.js';
import { selection, selects, type Selection } from '../request/select.js';
import { includeObject, tableText, type IncludeObject } from '../response/table.js';
import { warningHeaders } from '../response/respond.js';

const MIN_TIMEOUT_SECONDS = 1_800;
const MAX_TIMEOUT_SECONDS = 24 * 3_600;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
type Frame = string | Uint8Array;
const frame = (type: EventType, text: string): string => `{"type":"${type}","object":${text}}\n`;
const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';

/**
 * GET with watch: the plan that the host runs. Models apiserver/pkg/endpoints/handlers/watch.go and the watch cache.
 */
export function watch(call: Call): WatchResponse {
  const options = listOptions(call.query, true);
  const chosen = selection(call.kind, call.namespace, call.query, call.name);
  const printer = new FramePrinter(call, includeObject(call.query.text('includeObject')));
  const { state } = call.server;
  const asked = parseRevision(options.resourceVersion);
  const fromNow = asked === undefined || asked === 0 || options.sendInitialEvents === true;
  const wantsState = options.sendInitialEvents ?? fromNow;
  const initial = wantsState ? initialFrames(call, chosen, options, printer) : [];
  const told = printer.shared();
  return {
    type: 'watch',
    status: 200,
    headers: {
      'content-type': call.output.format === 'protobuf' ? `${MEDIA_TYPE.protobuf};stream=watch` : MEDIA_TYPE.json,
      'cache-control': 'no-cache, private',
      ...warningHeaders(call),
    },
    resource: state.resourceOf(call.kind),
    fromRevision: fromNow ? state.revision : asked!,
    initial,
    shareKey: shareKey(call, told),
    encode: (change) => encoded(chosen, printer, change),
    bookmark: (revision) => (options.allowWatchBookmarks ? printer.bookmark(revision, false) : undefined),
    expired: (requested, oldest) => printer.error(gone(`too old resource version: ${requested} (${oldest})`)),
    timeoutSeconds: timeout(options, state.revision),
  };
}

function initialFrames(call: Call, chosen: Selection, options: ListOptions, printer: FramePrinter): Frame[] {
  const { state } = call.server;
  const all = state.list(call.kind.storedAs?.kind ?? call.kind, call.namespace || undefined);
  const found = all.filter((o) => selects(chosen, o));
  if (call.kind.fromStored) allInVersion(call.kind, found);
  const frames = found.map((o) => printer.event('ADDED', o, call.now));
  if (options.sendInitialEvents && options.allowWatchBookmarks) frames.push(printer.bookmark(state.revision, true));
  return frames;
}

/** What a conversion webhook fails to convert is an error to whoever watches. */
function encoded(chosen: Selection, printer: FramePrinter, change: AppliedChange): Frame | undefined {
  try {
    return encode(chosen, printer, change);
  } catch (error) {
    if (error instanceof ApiError) return printer.error(error);
    throw error;
  }
}

/** An object that stops matching looks deleted, one that starts to looks added. */
function encode(chosen: Selection, printer: FramePrinter, change: AppliedChange): Frame | undefined {
  const { old, object } = change;
  const before = old !== undefined && selects(chosen, old);
  const after = change.type === 'put' && selects(chosen, object);
  if (after) return printer.event(before ? 'MODIFIED' : 'ADDED', object, change.at);
  if (!before) return undefined;
  const last =
    change.type === 'delete'
      ? object
      : { ...old, metadata: { ...old.metadata, resourceVersion: String(change.revision) } };
  return printer.event('DELETED', last, change.at);
}

/** Prints the objects of frames in the shape that the watch asked for. */
class FramePrinter {
  /** The columns have been told, so that the frames that follow leave them out. */
  private defined = false;
  /** Frames that are shared between watches all tell the columns, or none does. */
  private once = true;

  constructor(
    private readonly call: Call,
    private readonly include: IncludeObject,
  ) {}

  /** From now on frames are shared; have the columns been told? */
  shared(): boolean {
    this.once = false;
    return this.defined;
  }

  event(type: EventType, stored: KubeObject, now: number): Frame {
    const { kind, output } = this.call;
    const object = inVersion(kind, stored);
    if (output.format === 'protobuf') return encodeWatchFrame(type, encodeObject(kind, object));
    return frame(type, this.text(object, now));
  }

  private text(object: KubeObject, now: number): string {
    const { kind, output } = this.call;
    if (output.shape === 'partial') return partialText(kind, object, output.metaVersion);
    if (output.shape === 'object') return objectText(kind, object);
    return this.table([object], now, object.metadata.resourceVersion);
  }

  private table(objects: readonly KubeObject[], now: number, resourceVersion: string | undefined): string {
    const { kind, output } = this.call;
    const definitions = !this.defined;
    this.defined ||= this.once;
    return tableText(kind, objects, now, {
      metaVersion: output.metaVersion,
      include: this.include,
      metadata: JSON.stringify({ resourceVersion }),
      definitions,
    });
  }

  /** `endsInitial`: the mark of WatchList, that the state has been sent. */
  bookmark(revision: number, endsInitial: boolean): Frame {
    const { kind, output, now } = this.call;
    const metadata = {
      resourceVersion: String(revision),
      ...(endsInitial ? { annotations: { [INITIAL_EVENTS_END]: 'true' } } : {}),
    };
    const empty: KubeObject = { apiVersion: apiVersionOf(kind.group, kind.version), kind: kind.kind, metadata };
    if (output.format === 'protobuf') return encodeWatchFrame('BOOKMARK', encodeObject(kind, empty));
    if (output.shape !== 'table') return frame('BOOKMARK', this.text(empty, now));
    if (!endsInitial) return frame('BOOKMARK', this.table([], now, metadata.resourceVersion));
    const rows = `"rows":[{"cells":[],"object":${partialText(kind, empty, output.metaVersion)}}]}`;
    return frame(
      'BOOKMARK',
      this.table([], now, metadata.resourceVersion).replace(/"rows":\[\]\}$/, () => rows),
    );
  }

  error(error: ApiError): Frame {
    const status = error.toStatus();
    if (this.call.output.format === 'protobuf') return encodeWatchFrame('ERROR', encodeProtobuf(status, STATUS));
    return frame('ERROR', JSON.stringify(status));
  }
}

/** Spread between half an hour and an hour, as upstream's, so that watches do not all end at once. */
function timeout(options: ListOptions, revision: number): number {
  const asked = options.timeoutSeconds;
  if (asked !== undefined && asked > 0) return Math.min(asked, MAX_TIMEOUT_SECONDS);
  return MIN_TIMEOUT_SECONDS + ((revision * 7_919) % MIN_TIMEOUT_SECONDS);
}

function shareKey(call: Call, told: boolean): string {
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
  if (output.shape === 'table') parts.push(query.text('includeObject'), String(told));
  return parts.join('\u0000');
}
