import { deepEqual } from '../../../machinery/meta/equal.js';
import type { BodyResponse } from '../../../machinery/requests/http.js';
import { entriesOf } from '../../../machinery/managedfields/index.js';
import type { KubeObject, Unstructured } from '../../../machinery/meta/object.js';
import { conflict, notFound } from '../../../machinery/meta/status.js';
import { ownedType } from '../../../runtime/managed-fields.js';
import { normalize } from '../../../schema/index.js';
import { keyOfCall, type Call } from '../../call.js';
import { untrackedWriteOptions } from '../../call-options.js';
import { decodeApplyConfiguration } from '../../ownership/apply-configuration.js';
import { LAST_APPLIED, lastAppliedText } from '../../ownership/last-applied.js';
import { ownedWrite, setManagedFields } from '../../ownership/managed-fields.js';
import { KUBECTL, mergeConfiguration, ownersBeforeApply } from '../../ownership/merge-configuration.js';
import { requireCreate } from '../../request/authorize.js';
import { addEmptyStructs } from '../../request/decode.js';
import { mutationOptions, type MutationOptions } from '../../request/options.js';
import { convertWithManagedFields } from '../../response/conversion.js';
import { objectResponse } from '../../response/respond.js';
import { checkName, ensureNamespaceMatchesRequest, validateImmutableMetadata } from '../request-object.js';

/**
 * PATCH with a configuration: server-side apply of the object or its status. Creates the object when it does not exist.
 * Models apiserver/pkg/endpoints/handlers/patch.go applyPatcher.
 */
export function apply(call: Call): BodyResponse {
  const { kind, server, subresource } = call;
  const options = mutationOptions('PatchOptions', call.query, true);
  const stored = server.state.get(kind, keyOfCall(call));
  if (!stored && subresource) throw notFound(kind, call.name);
  const live = stored && convertWithManagedFields(kind, stored);
  const draft = applyToObject(call, live, options);
  if (!live) return objectResponse(call, 201, createApplied(call, draft, options));
  const writeOptions = untrackedWriteOptions(call, options.dryRun);
  return objectResponse(call, 200, server.writer.update(kind, draft, writeOptions, subresource));
}

/** Throws 409 when the draft names the uid of an object that does not exist. Models applyPatcher.createNewObject. */
function createApplied(call: Call, draft: KubeObject, { dryRun }: MutationOptions): KubeObject {
  const { resourceVersion: _ignored, ...metadata } = draft.metadata;
  const { uid } = metadata;
  if (uid)
    throw conflict(
      call.kind,
      call.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  requireCreate(call);
  return call.server.writer.create(
    call.kind,
    { ...draft, metadata } as KubeObject,
    untrackedWriteOptions(call, dryRun),
  );
}

/**
 * The object in the call's version as the body's configuration makes it, with the managedFields to store. Throws 400
 * for a bad configuration, 409 for fields of others. Models applyPatcher.applyPatchToCurrentObject.
 */
export function applyToObject(call: Call, live: KubeObject | undefined, options: MutationOptions): KubeObject {
  const { kind, subresource, now } = call;
  const { fieldManager, fieldValidation, force } = options;
  const configuration = decodeApplyConfiguration(call, kind, ownedType(kind), fieldValidation);
  const write = ownedWrite({ kind, manager: fieldManager, subresource }, now);
  const owners = ownersBeforeApply(kind, live, now);
  const merged = mergeConfiguration(live, configuration, owners, write, force) as Unstructured | undefined;
  const object =
    merged === undefined
      ? (live as Unstructured)
      : normalize(merged, kind.definition, { strict: false, expected: kind }).value;
  const draft = addEmptyStructs(kind.definition, { ...object, metadata: { ...object.metadata } });
  ensureNamespaceMatchesRequest(call, draft);
  checkName(call, draft);
  if (live) validateImmutableMetadata(call, draft, live);
  const entries = entriesOf(owners);
  const before = live?.metadata.managedFields;
  setManagedFields(draft, live && deepEqual(entries, before) ? before : entries);
  if (fieldManager === KUBECTL) updateLastApplied(draft, configuration);
  return draft;
}

/** Keeps the annotation of client-side apply true. */
function updateLastApplied(draft: KubeObject, configuration: Unstructured): void {
  const { annotations } = draft.metadata;
  if (annotations?.[LAST_APPLIED])
    draft.metadata.annotations = { ...annotations, [LAST_APPLIED]: lastAppliedText(configuration) };
}
