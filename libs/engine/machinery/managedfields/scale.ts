import { ownerId, type Owner, type Owners } from './owners.js';
import { difference, isEmptySet, NONE, SELF, type FieldSet } from './set.js';

const VERSION = 'autoscaling/v1';
const REPLICAS: FieldSet = { 'f:spec': { 'f:replicas': NONE } };

/** Where the versions of a kind keep their replicas: every version of it has the same steps. */
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

/** Who owns an object's replicas, as owners of its Scale. Models managedfields/scalehandler.go ToSubresource. */
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
 * The object's owners after a write of its Scale. Who is new has no time, and who updates is always new: upstream looks
 * these up by
 * the Scale's version. Models ToParent.
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
