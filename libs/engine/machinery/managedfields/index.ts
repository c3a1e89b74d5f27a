export { compare, type Comparison } from './compare.js';
export { checkFields } from './check.js';
export { customType } from './crd.js';
export { fieldsOf } from './fields.js';
export { entriesFrom, entriesOf, isReset, ownersOf, parseOwners, type Owner, type Owners } from './owners.js';
export { ownersOfScale, ownersAfterScale, type ScaleMapping } from './scale.js';
export { difference, isEmptySet, NONE, pathText, sameSet, union, type FieldSet } from './set.js';
export { type Fields, type FieldsType, type ListType, type MapType, type ScalarType } from './type.js';
export {
  applyFields,
  trackUpdate,
  UNOWNED,
  type ApplyResult,
  type OwnedWrite,
  type OwnershipConflict,
} from './update.js';
