import type { Part } from '../../../machinery/kind.js';
import { hasSameMetadata } from '../../../runtime/managed-fields.js';
import {
  canDefer,
  completeDeferredEntries,
  copyBeforeAdmission,
  setComponentFieldsOnCreate,
  setComponentFieldsOnUpdate,
} from '../../ownership/deferred-entries.js';
import { managerOfComponent } from '../../ownership/field-manager.js';
import { setManagedFieldsOnCreate, setManagedFieldsOnUpdate } from '../../ownership/managed-fields.js';
import type { CreateWrite, UpdateWrite, Write } from '../write.js';

const componentManager = ({ options }: Write): string => managerOfComponent(options.requester.user.name);

/**
 * Makes the field manager of a request the owner of the fields that it has sent. A component becomes the owner after
 * admission, by trackCreateByComponent, when it is known whether admission has changed them; here its draft is kept.
 */
export function trackCreate(write: CreateWrite): void {
  const { kind, draft, context } = write;
  const { fieldOwner } = write.options;
  if (fieldOwner.type === 'manager') setManagedFieldsOnCreate(kind, draft, fieldOwner, context.now);
  else if (fieldOwner.type === 'component') write.sent = copyBeforeAdmission(draft);
}

export function trackCreateByComponent(write: CreateWrite): void {
  const { kind, draft, sent, context } = write;
  if (sent) setComponentFieldsOnCreate(kind, draft, sent, componentManager(write), context.now);
}

/**
 * Makes the writer the owner of the fields that it changes. Of a component whose entry may stay deferred, that waits
 * until it is known that anything changes.
 */
export function trackUpdate(write: UpdateWrite): void {
  const { fieldOwner } = write.options;
  if (fieldOwner.type === 'manager')
    setManagedFieldsOnUpdate(write.kind, write.draft, write.old, fieldOwner, write.context.now);
  else if (fieldOwner.type === 'component' && write.subresource !== 'binding') trackUpdateByComponent(write);
  else trackNoOwner(write);
}

function trackUpdateByComponent(write: UpdateWrite): void {
  const { kind, draft, old, subresource, context } = write;
  const manager = componentManager(write);
  if (canDefer(kind, old, manager, subresource)) write.deferredManager = manager;
  else if (old.metadata.managedFields !== undefined)
    setManagedFieldsOnUpdate(kind, draft, old, { kind, subresource, manager }, context.now);
}

/** A Binding that changes no metadata changes nothing that a deferred entry stands for. */
function trackNoOwner({ kind, draft, old, subresource }: UpdateWrite): void {
  if (subresource !== 'binding' || !hasSameMetadata(draft, old)) completeDeferredEntries(kind, draft, old);
}

export function trackDeferredUpdate({ kind, draft, old, deferredManager, target, context }: UpdateWrite): void {
  if (deferredManager !== undefined)
    setComponentFieldsOnUpdate(kind, draft, old, deferredManager, target as Part, context.now);
}
