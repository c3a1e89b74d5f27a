import type { BodyResponse } from '../../../machinery/requests/http.js';
import { apiVersionOf, type KubeObject } from '../../../machinery/meta/object.js';
import type { Call } from '../../call.js';
import { encodeItems, encodeList } from '../../response/encode.js';
import { convertListToVersion } from '../../response/conversion.js';
import { itemText, partialText } from '../../response/json.js';
import { listFrame } from '../../response/list-frame.js';
import { asOfNow, textResult } from '../../response/respond.js';
import { parseIncludeObject, rowText, tableMembers } from '../../response/table.js';
import { isPretty, protobufResponse, withWarnings } from '../../response/writers.js';

type ListMeta = Readonly<Record<string, unknown>>;

/** A list is printed in pieces of so many objects, or of so many characters if those are fewer objects. */
const PIECE_OBJECTS = 100;
const PIECE_CHARACTERS = 128 * 1024;

/** How the items of a list are printed, and what is around them. */
interface ListPrinter {
  /** The texts of items; '' when they are only made ready for `respond`. */
  printItems(objects: readonly KubeObject[]): string;
  respond(items: readonly string[]): BodyResponse;
}

/** Stored objects as a list in the version, form and format that the call asks for. */
export function listResponse(call: Call, stored: readonly KubeObject[], metadata: ListMeta): BodyResponse {
  const objects = objectsOf(call, stored);
  const response = new ListResponse(printerOf(call, objects, metadata), objects);
  return response.printFirst() ? joined(response.finish()) : response;
}

/** A small body is one text. */
const joined = ({ type, status, headers, body }: BodyResponse): BodyResponse => ({ type, status, headers, body });

/** A list whose headers and body are made in pieces, or at once when they are read before. */
class ListResponse implements BodyResponse {
  readonly type = 'body';
  readonly status = 200;
  private readonly texts: string[] = [];
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

  get pieces(): BodyResponse['pieces'] {
    return this.finish().pieces;
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
    this.texts.push(text);
    this.printed = Math.min(objects.length, this.printed + nextObjects);
    this.characters += text.length;
    this.nextObjects = text.length > PIECE_CHARACTERS ? 1 : Math.min(PIECE_OBJECTS, 2 * nextObjects);
  }

  finish(): BodyResponse {
    if (this.whole) return this.whole;
    for (const _ of this.prepare());
    return (this.whole = this.printer.respond(this.texts));
  }
}

/** A body in pieces, which are joined when it is read as one text. */
class PiecedBody implements BodyResponse {
  readonly type = 'body';
  readonly status: number;
  readonly headers: BodyResponse['headers'];

  constructor(
    { status, headers }: BodyResponse,
    readonly pieces: readonly string[],
  ) {
    this.status = status;
    this.headers = headers;
  }

  get body(): string {
    return this.pieces.join('');
  }
}

/** Throws 400 for a parameter that cannot be read. */
function printerOf(call: Call, objects: readonly KubeObject[], metadata: ListMeta): ListPrinter {
  const { kind, now, output, query, warnings } = call;
  if (output.shape === 'table') {
    const { metaVersion } = output;
    const include = parseIncludeObject(query.text('includeObject'));
    const members = tableMembers(kind, { metaVersion, metadata: JSON.stringify(metadata) });
    return textPrinter(call, members, 'rows', (object) => rowText(kind, object, now, { include, metaVersion }));
  }
  if (output.shape === 'partial') {
    const apiVersion = `meta.k8s.io/${output.metaVersion}`;
    const members = JSON.stringify({ kind: 'PartialObjectMetadataList', apiVersion, metadata });
    return textPrinter(call, members, 'items', (object) => partialText(kind, object, output.metaVersion));
  }
  if (output.format === 'protobuf')
    return {
      printItems: (items) => (encodeItems(kind, items), ''),
      respond: () => withWarnings(warnings, protobufResponse(200, encodeList(kind, objects, metadata))),
    };
  const members = JSON.stringify({
    kind: `${kind.kind}List`,
    apiVersion: apiVersionOf(kind.group, kind.version),
    metadata,
  });
  return textPrinter(call, members, 'items', (object) => itemText(kind, object));
}

/** `members`: JSON of the list without its items. */
function textPrinter(
  call: Call,
  members: string,
  key: 'items' | 'rows',
  printItem: (object: KubeObject) => string,
): ListPrinter {
  const { output, query, request } = call;
  const isYaml = output.format === 'yaml';
  const { head, between, tail, empty, item } = listFrame(members, key, !isYaml && isPretty(query, request.headers));
  return {
    printItems: (objects) => objects.map((object) => item(printItem(object))).join(between),
    respond(items) {
      const pieces =
        items.length === 0 ? [empty] : [...items.map((text, i) => (i === 0 ? head : between) + text), tail];
      if (isYaml) return textResult(call, 200, pieces.join('').trimEnd());
      return new PiecedBody(textResult(call, 200, '{}'), pieces);
    },
  };
}

/** The stored objects themselves, unless the kind shows them in another way. */
function objectsOf(call: Call, stored: readonly KubeObject[]): readonly KubeObject[] {
  const { kind } = call;
  if (!kind.storedAs && !kind.fromStored && !kind.asOf) return stored;
  return convertListToVersion(kind, stored).map((object) => asOfNow(call, object));
}
