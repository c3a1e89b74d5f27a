import type { BodyResponse } from '../../machinery/requests/http.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { Call } from '../call.js';
import { encodeObject } from './encode.js';
import { convertToVersion } from './conversion.js';
import { objectText, partialText } from './json.js';
import { parseIncludeObject, tableText } from './table.js';
import { isPretty, jsonResponse, protobufResponse, withWarnings } from './writers.js';

/**
 * One stored object in the version, form and format that the call asks for. Models
 * apiserver/pkg/endpoints/handlers/response.go transformResponseObject.
 */
export function objectResponse(call: Call, status: number, stored: KubeObject): BodyResponse {
  const { kind, output, warnings } = call;
  const object = asOfNow(call, convertToVersion(kind, stored));
  if (output.shape === 'table') return textResult(call, status, tableOf(call, object));
  if (output.shape === 'partial') return textResult(call, status, partialText(kind, object, output.metaVersion));
  if (output.format === 'protobuf') return withWarnings(warnings, protobufResponse(status, encodeObject(kind, object)));
  return textResult(call, status, objectText(kind, object));
}

const tableOf = ({ kind, output: { metaVersion }, query, now }: Call, object: KubeObject): string =>
  tableText(kind, [object], now, {
    metaVersion,
    include: parseIncludeObject(query.text('includeObject')),
    metadata: JSON.stringify({ resourceVersion: object.metadata.resourceVersion }),
  });

/** The object with the fields that follow from the time of the request. */
export const asOfNow = ({ kind, now, server }: Pick<Call, 'kind' | 'now' | 'server'>, object: KubeObject): KubeObject =>
  kind.asOf ? kind.asOf(object, now, server.state) : object;

/** JSON text in the call's format, with its warnings. */
export function textResult({ query, request, output, warnings }: Call, status: number, text: string): BodyResponse {
  const response = jsonResponse(status, text, output.format, isPretty(query, request.headers));
  return withWarnings(warnings, response);
}
