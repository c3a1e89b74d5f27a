import type { BodyResponse } from '../../machinery/http.js';
import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import type { Call } from '../call.js';
import { encodeItems, encodeList } from '../response/encode.js';
import { convertListToVersion } from '../response/conversion.js';
import { itemText, partialText } from '../response/json.js';
import { asOfNow, textResult } from '../response/respond.js';
import { parseIncludeObject, rowsText, tableOfRows } from '../response/table.js';
import { protobufResponse, withWarnings } from '../response/writers.js';

type ListMeta = Readonly<Record<string, unknown>>;

/** A list is printed in pieces of so many objects, or of so many characters if those are fewer objects. */
const PIECE_OBJECTS = 100;
const PIECE_CHARACTERS = 128 * 1024;

/** How the items of a list are printed, and what is around them. */
interface ListPrinter {
  /** The texts of items between commas; '' when they are only made ready for `respond`. */
  printItems(objects: readonly KubeObject[]): string;
  respond(items: string): BodyResponse;
}

/** Stored objects as a list in the version, form and format that the call asks for. */
export function listResponse(call: Call, stored: readonly KubeObject[], metadata: ListMeta): BodyResponse {
  const objects = objectsOf(call, stored);
  const response = new ListResponse(printerOf(call, objects, metadata), objects);
  return response.printFirst() ? response.finish() : response;
}

/** A list whose headers and body are made in pieces, or at once when they are read before. */
class ListResponse implements BodyResponse {
  readonly type = 'body';
  readonly status = 200;
  private readonly pieces: string[] = [];
  private printed = 0;
  private characters = 0;
  private nextObjects = 1;
  private whole: BodyResponse | undefined;

  constructor(
    private readonly printer: ListPrinter,
    private readonly objects: readonly KubeObject[],
  ) {}

  get headers(): BodyResponse['headers'] {
    return this.finish().headers;
  }

  get body(): BodyResponse['body'] {
    return this.finish().body;
  }

  /** Prints as much as a piece holds. False when that is not all. */
  printFirst(): boolean {
    const { objects } = this;
    while (this.printed < objects.length && this.printed < PIECE_OBJECTS && this.characters < PIECE_CHARACTERS)
      this.print();
    return this.printed === objects.length;
  }

  *prepare(): Iterable<void> {
    while (this.printed < this.objects.length) {
      this.print();
      yield;
    }
  }

  /** How large objects are is known when they are printed: small ones are printed more and more at once. */
  private print(): void {
    const { printer, objects, nextObjects } = this;
    const text = printer.printItems(objects.slice(this.printed, this.printed + nextObjects));
    this.pieces.push(text);
    this.printed = Math.min(objects.length, this.printed + nextObjects);
    this.characters += text.length;
    this.nextObjects = text.length > PIECE_CHARACTERS ? 1 : Math.min(PIECE_OBJECTS, 2 * nextObjects);
  }

  finish(): BodyResponse {
    if (this.whole) return this.whole;
    for (const _ of this.prepare());
    return (this.whole = this.printer.respond(this.pieces.join(',')));
  }
}

/** Throws 400 for a parameter that cannot be read. */
function printerOf(call: Call, objects: readonly KubeObject[], metadata: ListMeta): ListPrinter {
  const { kind, output, warnings } = call;
  if (output.shape === 'table') return tablePrinter(call, metadata);
  if (output.shape === 'partial') {
    const type = `"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${output.metaVersion}"`;
    return textPrinter(call, type, metadata, (object) => partialText(kind, object, output.metaVersion));
  }
  if (output.format === 'protobuf')
    return {
      printItems: (items) => (encodeItems(kind, items), ''),
      respond: () => withWarnings(warnings, protobufResponse(200, encodeList(kind, objects, metadata))),
    };
  const type = `"kind":"${kind.kind}List","apiVersion":"${apiVersionOf(kind.group, kind.version)}"`;
  return textPrinter(call, type, metadata, (object) => itemText(kind, object));
}

const textPrinter = (
  call: Call,
  type: string,
  metadata: ListMeta,
  printItem: (object: KubeObject) => string,
): ListPrinter => ({
  printItems: (objects) => objects.map(printItem).join(','),
  respond: (items) => textResult(call, 200, `{${type},"metadata":${JSON.stringify(metadata)},"items":[${items}]}`),
});

function tablePrinter(call: Call, metadata: ListMeta): ListPrinter {
  const { kind, now, output, query } = call;
  const options = {
    metaVersion: output.metaVersion,
    include: parseIncludeObject(query.text('includeObject')),
    metadata: JSON.stringify(metadata),
  };
  return {
    printItems: (objects) => rowsText(kind, objects, now, options),
    respond: (rows) => textResult(call, 200, tableOfRows(kind, rows, options)),
  };
}

/** The stored objects themselves, unless the kind shows them in another way. */
function objectsOf(call: Call, stored: readonly KubeObject[]): readonly KubeObject[] {
  const { kind } = call;
  if (!kind.storedAs && !kind.fromStored && !kind.asOf) return stored;
  return convertListToVersion(kind, stored).map((object) => asOfNow(call, object));
}
