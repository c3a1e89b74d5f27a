import { ownerId, type Owner, type Owners } from './owners.js';
import { difference, isEmptySet, NONE, SELF, type FieldSet } from './set.js';

const VERSION = 'autoscaling/v1';
const REPLICAS: FieldSet = { 'f:spec': { 'f:replicas': NONE } };

/** Where a kind keeps its replicas: in the same field in every version. */
export interface ScaleMapping {
  /** '.spec.replicas' -> ['spec', 'replicas'] */
  readonly steps: readonly string[];
  /** The request's: 'apps/v1'. */
  readonly apiVersion: string;
  isKnown(apiVersion: string): boolean;
}

const setOf = (steps: readonly string[]): FieldSet =>
  steps.reduceRight<FieldSet>((inner, step) => ({ [`f:${step}`]: inner }), NONE);

function has(set: FieldSet, steps: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const step of steps) node = node?.[`f:${step}`];
  return node !== undefined && (SELF in node || isEmptySet(node));
}

/** The owners of a Scale: those of the object's replicas. Models managedfields/scalehandler.go ToSubresource. */
export function ownersOfScale(parent: Owners, { steps, isKnown }: ScaleMapping): Owners {
  const owners: Owners = new Map();
  for (const owner of parent.values()) {
    if (!isKnown(owner.apiVersion) || !has(owner.fields, steps)) continue;
    const scaled: Owner = { ...owner, apiVersion: VERSION, fields: REPLICAS };
    owners.set(ownerId(scaled), scaled);
  }
  return owners;
}

/**
 * The object's owners after a write of its Scale. A new owner has no time, and one that updates is always new, since
 * upstream looks it up by the Scale's version. Models ToParent.
 */
export function ownersAfterScale(
  parent: Owners,
  scale: Owners,
  { steps, apiVersion, isKnown }: ScaleMapping,
): readonly Owner[] {
  const replicas = setOf(steps);
  const left = new Map(scale);
  const owners: Owner[] = [];
  for (const [id, owner] of parent) {
    if (!isKnown(owner.apiVersion)) continue;
    if (!has(owner.fields, steps) || left.delete(id)) {
      owners.push(owner);
      continue;
    }
    const fields = difference(owner.fields, replicas);
    if (!isEmptySet(fields)) owners.push({ ...owner, fields });
  }
  for (const { time: _time, ...owner } of left.values())
    if (has(owner.fields, ['spec', 'replicas'])) owners.push({ ...owner, apiVersion, fields: replicas });
  return owners;
}
