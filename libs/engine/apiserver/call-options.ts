import type { Client } from '../machinery/client.js';
import type { Call } from './call.js';
import { managerOrUserAgent } from './ownership/field-manager.js';
import { NO_OWNER, type FieldOwner } from './ownership/field-owner.js';
import type { WriteOptions } from './registry/write-options.js';

/** The options of a write by a request; the caller's field manager owns the fields that it changes. */
export const writeOptions = (call: Call, dryRun: boolean): WriteOptions => writeOptionsFor(call, dryRun, ownerOf(call));

/** The options of a request's write that is not tracked, or whose draft already carries the managedFields to store. */
export const untrackedWriteOptions = (call: Call, dryRun: boolean): WriteOptions =>
  writeOptionsFor(call, dryRun, NO_OWNER);

const writeOptionsFor = (call: Call, dryRun: boolean, fieldOwner: FieldOwner): WriteOptions => ({
  requester: { user: call.request.user, cause: 0 },
  origin: { type: 'request', options: operationOptions(call), warn: (text) => addWarning(call, text) },
  fieldOwner,
  validate: true,
  dryRun,
});

const ownerOf = ({ kind, subresource, query, request }: Call): FieldOwner => ({
  type: 'manager',
  kind,
  subresource,
  manager: managerOrUserAgent(query.text('fieldManager'), request.headers['user-agent']),
});

/** The request's CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, as admission sees them. */
function operationOptions({ query }: Call): Readonly<Record<string, unknown>> {
  const [fieldManager, fieldValidation] = [query.text('fieldManager'), query.text('fieldValidation')];
  return { ...(fieldManager ? { fieldManager } : {}), ...(fieldValidation ? { fieldValidation } : {}) };
}

function addWarning({ warnings }: Call, text: string): void {
  if (!warnings.includes(text)) warnings.push(text);
}

/** A client for the writes of a kind's action to other objects. */
export const clientOf = (call: Call, dryRun: boolean): Client =>
  call.server.writer.client(untrackedWriteOptions(call, dryRun));
