import { deepEqual } from '../../machinery/meta/equal.js';
import type { BodyResponse } from '../../machinery/http.js';
import {
  applyFields,
  entriesOf,
  ownersOf,
  trackUpdate,
  type OwnedWrite,
  type Owners,
} from '../../machinery/managedfields/index.js';
import type { KubeObject, Unstructured } from '../../machinery/meta/object.js';
import { conflict, notFound } from '../../machinery/meta/status.js';
import { ownedType } from '../../runtime/attribution.js';
import { normalize } from '../../schema/index.js';
import { configOf } from './apply-config.js';
import { applyConflict, LAST_APPLIED, lastAppliedOf, withoutLastApplied } from './apply-conflict.js';
import { requireCreate } from '../request/authorize.js';
import { keyOfCall, untracked, type Call } from '../call.js';
import { complete } from '../request/codec.js';
import { checkName, checkUnchanged, placeInNamespace } from '../verbs/mutate.js';
import { mutationOptions, type MutationOptions } from '../request/options.js';
import { ownedWrite, setEntries } from './ownership.js';
import { wholeInVersion } from '../response/print.js';
import { objectResponse } from '../response/respond.js';

export const APPLY_PATCH = 'application/apply-patch+yaml';
/** Owns what an object has that nobody was known to own before the first apply. */
const BEFORE = 'before-first-apply';
const KUBECTL = 'kubectl';

/**
 * PATCH with a configuration: server-side apply. Models handlers/patch.go applyPatcher and managedfields' chain of
 * managers.
 */
export function apply(call: Call): BodyResponse {
  const options = mutationOptions('PatchOptions', call.query, true);
  const stored = call.server.state.get(call.kind, keyOfCall(call));
  if (!stored && call.subresource) throw notFound(call.kind, call.name);
  const live = stored && wholeInVersion(call.kind, stored);
  const draft = applied(call, live, options);
  const { writer } = call.server;
  const written = untracked(call, options.dryRun);
  if (live) return objectResponse(call, 200, writer.update(call.kind, draft, written, call.subresource));
  if (draft.metadata.uid) {
    throw conflict(
      call.kind,
      call.name,
      `uid mismatch: the provided object specified uid ${draft.metadata.uid}, and no existing object was found`,
    );
  }
  requireCreate(call);
  const { resourceVersion: _none, ...metadata } = draft.metadata;
  return objectResponse(call, 201, writer.create(call.kind, { ...draft, metadata } as KubeObject, written));
}

/** The object as it is to be, with its owners: an object of the call's kind. Throws 400, 409 for conflicts. */
export function applied(call: Call, live: KubeObject | undefined, options: MutationOptions): KubeObject {
  const { kind } = call;
  const config = configOf(call, kind, ownedType(kind), options.fieldValidation);
  const write = ownedWrite({ kind, manager: options.fieldManager, subresource: call.subresource }, call.now);
  const owners = ownersBefore(call, live);
  const object = laidOver(live, config, owners, write, options) as Unstructured | undefined;
  const known =
    object === undefined
      ? (live as Unstructured)
      : normalize(object, kind.definition, { strict: false, expected: kind }).value;
  const draft = complete(kind.definition, { ...known, metadata: { ...known.metadata } });
  placeInNamespace(call, draft);
  checkName(call, draft);
  if (live) checkUnchanged(call, draft, live);
  const entries = entriesOf(owners);
  setEntries(draft, live && deepEqual(entries, live.metadata.managedFields) ? live.metadata.managedFields : entries);
  if (options.fieldManager === KUBECTL && draft.metadata.annotations?.[LAST_APPLIED]) {
    draft.metadata.annotations = { ...draft.metadata.annotations, [LAST_APPLIED]: lastAppliedOf(config) };
  }
  return draft;
}

/**
 * The live object with the configuration over it; undefined when that changes nothing. Changes `owners`. Throws 409.
 */
export function laidOver(
  live: KubeObject | undefined,
  config: Unstructured,
  owners: Owners,
  write: OwnedWrite,
  { fieldManager, force }: MutationOptions,
): unknown {
  const { object, conflicts } = applyFields(live ?? {}, config, owners, write, force);
  if (conflicts.length === 0) return object;
  const left =
    fieldManager === KUBECTL && live ? withoutLastApplied(conflicts, live, write.type, write.apiVersion) : conflicts;
  if (left.length > 0) throw applyConflict(left);
  return applyFields(live ?? {}, config, owners, write, true).object;
}

function ownersBefore(call: Call, live: KubeObject | undefined): Owners {
  const owners = ownersOf(live?.metadata.managedFields);
  if (live && owners.size === 0)
    trackUpdate({}, live, owners, ownedWrite({ kind: call.kind, manager: BEFORE }, call.now));
  return owners;
}
