import type { CreateWrite, DeleteWrite, UpdateWrite } from '../write.js';
import { convertToVersion } from '../../response/conversion.js';

/** Turns a draft in another version than the stored one into the version that is stored; that version's hooks run. */
export function convertToStorageVersion(write: CreateWrite | UpdateWrite): void {
  const { storedAs } = write.kind;
  if (!storedAs) return;
  write.draft = storedAs.toStorage(write.draft);
  write.kind = storedAs.kind;
}

/** Throws 500 when the object cannot be converted to the version that the response is to have. */
export function checkConversion(write: DeleteWrite): void {
  const { kind, key, writer } = write;
  if (!kind.storedAs) return;
  const stored = writer.state.get(kind, key);
  if (stored) convertToVersion(kind, stored);
  write.kind = kind.storedAs.kind;
}
