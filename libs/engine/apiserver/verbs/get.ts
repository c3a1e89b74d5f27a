import type { BodyResponse } from '../../machinery/requests/http.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { notFound } from '../../machinery/meta/status.js';
import { keyOfCall, type Call } from '../call.js';
import { convertWithManagedFields } from '../response/conversion.js';
import { objectResponse } from '../response/respond.js';

/** GET of one object. Models apiserver/pkg/endpoints/handlers/get.go GetResource. */
export function get(call: Call): BodyResponse {
  return objectResponse(call, 200, getStored(call));
}

/** The object that the path names, as it is stored. Throws 404. */
export function getStored(call: Call): KubeObject {
  const object = call.server.state.get(call.kind, keyOfCall(call));
  if (!object) throw notFound(call.kind, call.name);
  return object;
}

/** The object that the path names in the call's version, with complete managedFields. Throws 404. */
export const getCurrent = (call: Call): KubeObject => convertWithManagedFields(call.kind, getStored(call));
