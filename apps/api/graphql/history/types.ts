import { nouns } from '@terrarium/platform';
import { inputType, objectType } from '../zod-types.js';

export const SnapshotType = objectType('Snapshot', nouns.Snapshot);
export const HistoryType = objectType('History', nouns.History);
export const DiffType = objectType('Diff', nouns.Diff);
export const NewForksInput = inputType('NewForks', nouns.NewForks);
export const NewSnapshotInput = inputType('NewSnapshot', nouns.NewSnapshot);
export const RestoreInput = inputType('Restore', nouns.Restore);
