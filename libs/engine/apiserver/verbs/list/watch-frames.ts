import { apiVersionOf, type KubeObject } from '../../../machinery/meta/object.js';
import type { ApiError } from '../../../machinery/meta/status.js';
import { encodeProtobuf, encodeWatchFrame } from '../../../schema/index.js';
import type { Call } from '../../call.js';
import { encodeObject } from '../../response/encode.js';
import { convertToVersion } from '../../response/conversion.js';
import { objectText, partialText } from '../../response/json.js';
import { tableText, type IncludeObject } from '../../response/table.js';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
/** One event of a watch, as it goes over the wire. */
export type Frame = string | Uint8Array;

const jsonFrame = (type: EventType, text: string): string => `{"type":"${type}","object":${text}}\n`;

/** Prints events in the version, form and format that a watch asks for. Models metav1.WatchEvent and its encoders. */
export class FramePrinter {
  /** A Table with the definitions of the columns has been printed: the Tables that follow leave them out. */
  private isTableDefined = false;
  /** Frames after the initial ones are shared between watches: all of them have the definitions, or none has. */
  private isInitial = true;

  constructor(
    private readonly call: Call,
    private readonly include: IncludeObject,
  ) {}

  /** Ends the initial frames, which are this watch's own. Returns whether the columns have been defined. */
  endInitial(): boolean {
    this.isInitial = false;
    return this.isTableDefined;
  }

  event(type: EventType, stored: KubeObject, now: number): Frame {
    const { kind, output } = this.call;
    const object = convertToVersion(kind, stored);
    if (output.format === 'protobuf') return encodeWatchFrame(type, encodeObject(kind, object));
    return jsonFrame(type, this.text(object, now));
  }

  /** `endsInitial`: the bookmark after the initial events of a streaming list. */
  bookmark(revision: number, endsInitial: boolean): Frame {
    const { kind, output, now } = this.call;
    const annotations = endsInitial ? { annotations: { [INITIAL_EVENTS_END]: 'true' } } : {};
    const metadata = { resourceVersion: String(revision), ...annotations };
    const empty: KubeObject = { apiVersion: apiVersionOf(kind.group, kind.version), kind: kind.kind, metadata };
    if (output.format === 'protobuf') return encodeWatchFrame('BOOKMARK', encodeObject(kind, empty));
    if (output.shape !== 'table') return jsonFrame('BOOKMARK', this.text(empty, now));
    const table = this.table([], now, metadata.resourceVersion);
    return jsonFrame('BOOKMARK', endsInitial ? this.withAnnotatedRow(table, empty) : table);
  }

  /** A Table has no annotations: upstream puts them in a row without cells. */
  private withAnnotatedRow(table: string, object: KubeObject): string {
    const { kind, output } = this.call;
    const rows = `"rows":[{"cells":[],"object":${partialText(kind, object, output.metaVersion)}}]}`;
    return table.replace(/"rows":\[\]\}$/, () => rows);
  }

  error(error: ApiError): Frame {
    const status = error.toStatus();
    if (this.call.output.format === 'protobuf') return encodeWatchFrame('ERROR', encodeProtobuf(status, STATUS));
    return jsonFrame('ERROR', JSON.stringify(status));
  }

  private text(object: KubeObject, now: number): string {
    const { kind, output } = this.call;
    if (output.shape === 'partial') return partialText(kind, object, output.metaVersion);
    if (output.shape === 'object') return objectText(kind, object);
    return this.table([object], now, object.metadata.resourceVersion);
  }

  private table(objects: readonly KubeObject[], now: number, resourceVersion: string | undefined): string {
    const { kind, output } = this.call;
    const definitions = !this.isTableDefined;
    this.isTableDefined ||= this.isInitial;
    return tableText(kind, objects, now, {
      metaVersion: output.metaVersion,
      include: this.include,
      metadata: JSON.stringify({ resourceVersion }),
      definitions,
    });
  }
}
