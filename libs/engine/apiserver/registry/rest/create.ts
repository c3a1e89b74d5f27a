import { admitMutatingCreate, admitValidating } from '../steps/admission.js';
import { seedContext } from '../steps/context.js';
import { applyDefaults, completeStructs } from '../steps/defaults.js';
import { rejectExisting } from '../steps/existing.js';
import { trackCreate, trackCreateByComponent } from '../steps/managed-fields.js';
import { fillSystemFields, generateName, prepareMetadata } from '../steps/metadata.js';
import { checkSize, endDryRun, store } from '../steps/storage.js';
import { convertToStorageVersion } from '../steps/storage-version.js';
import { prepareForCreate } from '../steps/strategy.js';
import { validateCreate } from '../steps/validation.js';
import { warnOnCreate } from '../steps/warnings.js';
import type { CreateWrite, Step } from '../write.js';

/** A create, in its order. Models store.go Create and registry/rest/create.go BeforeCreate. */
export const CREATE_STEPS: readonly Step<CreateWrite>[] = [
  convertToStorageVersion,
  seedContext,
  prepareMetadata,
  generateName,
  fillSystemFields,
  completeStructs,
  applyDefaults,
  trackCreate,
  admitMutatingCreate,
  prepareForCreate,
  trackCreateByComponent,
  validateCreate,
  admitValidating,
  rejectExisting,
  warnOnCreate,
  checkSize,
  endDryRun,
  store,
];
