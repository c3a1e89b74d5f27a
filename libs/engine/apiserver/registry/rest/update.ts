import { admitMutatingUpdate, admitValidating } from '../steps/admission.js';
import { seedContext } from '../steps/context.js';
import { applyDefaults, applyDefaultsOfRequest, completeStructs } from '../steps/defaults.js';
import { checkPreconditions, getExisting } from '../steps/existing.js';
import { trackDeferredUpdate, trackUpdate } from '../steps/managed-fields.js';
import { increaseGeneration, keepSystemFields } from '../steps/metadata.js';
import { checkSize, deleteWithoutFinalizers, endDryRun, endUnchanged, store } from '../steps/storage.js';
import { convertToStorageVersion } from '../steps/storage-version.js';
import {
  keepAllButStatus,
  keepAllButStatusAfterAdmission,
  keepStatus,
  keepStatusAfterAdmission,
  prepareForStatusUpdate,
  prepareForUpdate,
} from '../steps/strategy.js';
import { validateStatusUpdate, validateUpdate } from '../steps/validation.js';
import { warnOnUpdate } from '../steps/warnings.js';
import type { Step, UpdateWrite } from '../write.js';

/** An update of the object, in its order. Models store.go Update and registry/rest/update.go BeforeUpdate. */
export const UPDATE_STEPS: readonly Step<UpdateWrite>[] = [
  convertToStorageVersion,
  getExisting,
  checkPreconditions,
  seedContext,
  keepSystemFields,
  completeStructs,
  keepStatus,
  applyDefaults,
  trackUpdate,
  admitMutatingUpdate,
  keepStatusAfterAdmission,
  prepareForUpdate,
  endUnchangedWithWarnings,
  trackDeferredUpdate,
  increaseGeneration,
  validateUpdate,
  admitValidating,
  warnOnUpdate,
  checkSize,
  endDryRun,
  deleteWithoutFinalizers,
  store,
];

/** An update of the status alone. */
export const STATUS_UPDATE_STEPS: readonly Step<UpdateWrite>[] = [
  convertToStorageVersion,
  getExisting,
  checkPreconditions,
  seedContext,
  keepSystemFields,
  completeStructs,
  applyDefaultsOfRequest,
  keepAllButStatus,
  prepareForStatusUpdate,
  trackUpdate,
  admitMutatingUpdate,
  keepAllButStatusAfterAdmission,
  endUnchanged,
  trackDeferredUpdate,
  validateStatusUpdate,
  admitValidating,
  checkSize,
  endDryRun,
  deleteWithoutFinalizers,
  store,
];

/** An update by one of the kind's actions (pods/binding, namespaces/finalize), which has checked its changes. */
export const ACTION_UPDATE_STEPS: readonly Step<UpdateWrite>[] = [
  convertToStorageVersion,
  getExisting,
  checkPreconditions,
  seedContext,
  keepSystemFields,
  completeStructs,
  trackUpdate,
  admitMutatingUpdate,
  endUnchangedWithWarnings,
  increaseGeneration,
  admitValidating,
  warnOnUpdate,
  checkSize,
  endDryRun,
  deleteWithoutFinalizers,
  store,
];

/** A client is warned of the object even when its update changes nothing. */
function endUnchangedWithWarnings(write: UpdateWrite): void {
  endUnchanged(write);
  if (write.result !== undefined) warnOnUpdate(write);
}

export function stepsOfUpdate(target: string): readonly Step<UpdateWrite>[] {
  if (target === '') return UPDATE_STEPS;
  return target === 'status' ? STATUS_UPDATE_STEPS : ACTION_UPDATE_STEPS;
}
