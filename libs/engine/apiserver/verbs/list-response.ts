import type { BodyResponse } from '../../machinery/http.js';
import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import type { Call } from '../call.js';
import { encodeList } from '../response/encode.js';
import { convertListToVersion } from '../response/conversion.js';
import { itemText, partialText } from '../response/json.js';
import { asOfNow, textResult } from '../response/respond.js';
import { parseIncludeObject, tableText } from '../response/table.js';
import { protobufResponse, withWarnings } from '../response/writers.js';

type ListMeta = Readonly<Record<string, unknown>>;

/** Stored objects as a list in the version, form and format that the call asks for. */
export function listResponse(call: Call, stored: readonly KubeObject[], metadata: ListMeta): BodyResponse {
  const { kind, output, warnings } = call;
  const objects = objectsOf(call, stored);
  if (output.shape === 'table') return textResult(call, 200, tableOf(call, objects, metadata));
  if (output.shape === 'partial') return textResult(call, 200, partialListText(call, objects, metadata));
  if (output.format === 'protobuf')
    return withWarnings(warnings, protobufResponse(200, encodeList(kind, objects, metadata)));
  return textResult(call, 200, listText(call, objects, metadata));
}

/** The stored objects themselves, unless the kind shows them in another way. */
function objectsOf(call: Call, stored: readonly KubeObject[]): readonly KubeObject[] {
  const { kind } = call;
  if (!kind.storedAs && !kind.fromStored && !kind.asOf) return stored;
  return convertListToVersion(kind, stored).map((object) => asOfNow(call, object));
}

const tableOf = ({ kind, now, output, query }: Call, objects: readonly KubeObject[], metadata: ListMeta): string =>
  tableText(kind, objects, now, {
    metaVersion: output.metaVersion,
    include: parseIncludeObject(query.text('includeObject')),
    metadata: JSON.stringify(metadata),
  });

function partialListText({ kind, output }: Call, objects: readonly KubeObject[], metadata: ListMeta): string {
  const items = objects.map((object) => partialText(kind, object, output.metaVersion)).join(',');
  const type = `"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${output.metaVersion}"`;
  return `{${type},"metadata":${JSON.stringify(metadata)},"items":[${items}]}`;
}

function listText({ kind }: Call, objects: readonly KubeObject[], metadata: ListMeta): string {
  const items = objects.map((object) => itemText(kind, object)).join(',');
  const type = `"kind":"${kind.kind}List","apiVersion":"${apiVersionOf(kind.group, kind.version)}"`;
  return `{${type},"metadata":${JSON.stringify(metadata)},"items":[${items}]}`;
}
