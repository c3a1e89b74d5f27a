import { admitMutatingDelete, admitValidating } from '../steps/admission.js';
import { seedContext } from '../steps/context.js';
import {
  beforeDelete,
  deleteImmediately,
  endDryRunDeletion,
  endPending,
  endUnchangedDeletion,
  markAsDeleting,
} from '../steps/deletion.js';
import { getExistingForDelete } from '../steps/existing.js';
import { store } from '../steps/storage.js';
import { checkConversion } from '../steps/storage-version.js';
import type { DeleteWrite, Step } from '../write.js';

/** A deletion, in its order. Models store.go Delete and registry/rest/delete.go BeforeDelete. */
export const DELETE_STEPS: readonly Step<DeleteWrite>[] = [
  checkConversion,
  getExistingForDelete,
  seedContext,
  beforeDelete,
  admitMutatingDelete,
  admitValidating,
  endPending,
  deleteImmediately,
  markAsDeleting,
  endUnchangedDeletion,
  endDryRunDeletion,
  store,
];
