import type { DeleteOptions } from '../../api/meta_v1.js';
import type { BodyResponse } from '../../machinery/requests/http.js';
import { keyOf, type KubeObject } from '../../machinery/meta/object.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import { keyOfCall, type Call } from '../call.js';
import { writeOptions } from '../call-options.js';
import { readBody, decodeBody } from '../request/decode.js';
import { deleteOptions, listOptions } from '../request/options.js';
import { parseSelection, selects } from '../request/select.js';
import { objectResponse, textResult } from '../response/respond.js';
import { listResponse } from './list/list-response.js';

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/**
 * DELETE of one object: answers with a Status when it is removed (for some kinds with the object), else with the object
 * that is marked for deletion. Models apiserver/pkg/endpoints/handlers/delete.go DeleteResource.
 */
export function deleteObject(call: Call): BodyResponse {
  const { kind, server, name } = call;
  const options = decodeDeleteOptions(call);
  const { object, deleted } = server.writer.delete(
    kind,
    keyOfCall(call),
    options,
    writeOptions(call, isDryRun(options)),
  );
  if (!deleted || kind.returnsDeleted) return objectResponse(call, 200, object);
  const { group, plural } = kind;
  const details = { name, ...(group ? { group } : {}), kind: plural, uid: object.metadata.uid };
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  return textResult(call, 200, JSON.stringify(status));
}

/** DELETE of a collection: answers with the list of its objects as they were. Models store.go DeleteCollection. */
export function deleteCollection(call: Call): BodyResponse {
  const options = decodeDeleteOptions(call);
  listOptions(call.query, false);
  const { kind, server, namespace } = call;
  const selection = parseSelection(kind, namespace, call.query);
  const objects = server.state
    .list(kind.storedAs?.kind ?? kind, namespace || undefined)
    .filter((o) => selects(selection, o));
  const deleted = objects.filter((object) => tryDelete(call, object, options));
  return listResponse(call, deleted, { resourceVersion: String(server.state.revision) });
}

/** False when the deletion of another object has already taken this one with it. */
function tryDelete(call: Call, object: KubeObject, options: DeleteOptions): boolean {
  const { kind, server } = call;
  try {
    server.writer.delete(kind, keyOf(object), options, writeOptions(call, isDryRun(options)));
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return false;
    throw error;
  }
}

const isDryRun = ({ dryRun }: DeleteOptions): boolean => (dryRun?.length ?? 0) > 0;

/** The DeleteOptions of the body or the query. Throws 400, 422. */
function decodeDeleteOptions(call: Call): DeleteOptions {
  if (readBody(call).length === 0) return deleteOptions(call.query, undefined);
  try {
    return deleteOptions(call.query, decodeBody(call, DELETE_OPTIONS, 'Ignore') as unknown as DeleteOptions);
  } catch (error) {
    if (error instanceof ApiError && error.code === 400) throw badRequest(withoutExpectedType(error.message));
    throw error;
  }
}

/** Upstream leaves the expected type out of this message. */
const withoutExpectedType = (message: string): string =>
  message.replace(EXPECTED_TYPE, '').replace(/ \([0-9a-f]*\)$/, '');

const EXPECTED_TYPE =
  /^(\S+ in version "\S+" cannot be handled as a DeleteOptions|the object provided is unrecognized \(must be of type DeleteOptions\)): /;
