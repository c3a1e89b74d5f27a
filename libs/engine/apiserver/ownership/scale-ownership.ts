import type { Scale } from '../../api/autoscaling_v1.js';
import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import type { Kind, ScalePaths } from '../../machinery/kind.js';
import {
  entriesFrom,
  ownersOf,
  ownersOfScale,
  ownersOfScaled,
  trackUpdate,
  type FieldsType,
  type OwnedWrite,
  type Owners,
  type ScaleMapping,
} from '../../machinery/managedfields/index.js';
import { apiVersionOf, splitApiVersion, type KubeObject, type LabelSelector } from '../../machinery/meta/object.js';
import { formatMap, formatRequirements, requirementsOf, type Labels } from '../../machinery/selectors/selectors.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import { fieldsType } from '../../schema/index.js';
import { stepsOf, valueAt } from './scale-paths.js';

export const DEFINITION = 'io.k8s.api.autoscaling.v1.Scale';
export const SCALE: FieldsType = fieldsType(DEFINITION);

export const scaleWrite = (manager: string, now: Millis): OwnedWrite => ({
  type: SCALE,
  manager,
  apiVersion: 'autoscaling/v1',
  subresource: 'scale',
  time: timestamp(now),
  only: (set) => set,
});

/** Whose an object's replicas are during one write by way of its Scale. Models the ScaleREST's managedFieldsHandler. */
export class ScaleOwnership {
  readonly owners: Owners;
  private readonly parent: Owners;
  private readonly mapping: ScaleMapping;

  /** `object` as it is before, with all its entries. */
  constructor(kind: Kind, paths: ScalePaths, object: KubeObject) {
    this.mapping = {
      steps: stepsOf(paths.spec),
      apiVersion: apiVersionOf(kind.group, kind.version),
      isKnown: (version) => splitApiVersion(version)[0] === kind.group,
    };
    this.parent = ownersOf(object.metadata.managedFields);
    this.owners = ownersOfScale(this.parent, this.mapping);
  }

  /** An update by a manager; as upstream's, it is not tracked while nobody owns the replicas. */
  update(current: Scale, replicas: number, manager: string, now: Millis): void {
    if (this.owners.size > 0)
      trackUpdate(current, { ...current, spec: { replicas } }, this.owners, scaleWrite(manager, now));
  }

  /** The object's entries after the write. */
  get entries(): ManagedFieldsEntry[] | undefined {
    return entriesFrom([...ownersOfScaled(this.parent, this.owners, this.mapping)]);
  }
}

/** An object's Scale. */
export function scaleOf(object: KubeObject, paths: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector === undefined ? '' : selectorText(valueAt(object, paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: Number(valueAt(object, paths.spec) ?? 0) },
    status: { replicas: Number(valueAt(object, paths.status) ?? 0), ...(selector ? { selector } : {}) },
  };
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (typeof selector !== 'object' || selector === null) return '';
  if ('matchLabels' in selector || 'matchExpressions' in selector)
    return formatRequirements(requirementsOf(selector as LabelSelector));
  return formatMap(selector as Labels);
}
