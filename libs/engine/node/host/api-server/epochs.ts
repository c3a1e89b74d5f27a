import type {
  EncryptedResources,
  EncryptionEpoch,
} from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { MAX_EPOCHS } from '../../../kinds/terrarium/noderuntime/encryption.js';
import { deepEqual } from '../../../machinery/meta/equal.js';

/** The epochs once an API server has come up that writes so; undefined: it has never encrypted anything. */
export function nextEpochs(
  before: readonly EncryptionEpoch[] | undefined,
  resources: EncryptedResources[],
  revision: number,
): EncryptionEpoch[] | undefined {
  if (before === undefined && resources.length === 0) return undefined;
  const known = before ?? [];
  if (known.length > 0 && deepEqual(known.at(-1)!.resources, resources)) return [...known];
  return [...known, { from: revision + 1, resources }].slice(-MAX_EPOCHS);
}
