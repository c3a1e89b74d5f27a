import type { Scale } from '../../api/autoscaling_v1.js';
import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import type { Kind, ScalePaths } from '../../machinery/kind.js';
import {
  entriesFrom,
  ownersOf,
  ownersOfScale,
  ownersAfterScale,
  trackUpdate,
  type FieldsType,
  type OwnedWrite,
  type Owners,
  type ScaleMapping,
} from '../../machinery/managedfields/index.js';
import { apiVersionOf, splitApiVersion, type KubeObject } from '../../machinery/meta/object.js';
import { timestamp, type Millis } from '../../machinery/time/time.js';
import { fieldsType } from '../../schema/index.js';
import { SCALE_DEFINITION } from './scale.js';
import { stepsOf } from './scale-paths.js';

export const SCALE_TYPE: FieldsType = fieldsType(SCALE_DEFINITION);

/** A manager's write of a Scale, as the machinery of managed fields takes it. */
export const scaleWrite = (manager: string, now: Millis): OwnedWrite => ({
  type: SCALE_TYPE,
  manager,
  apiVersion: 'autoscaling/v1',
  subresource: 'scale',
  time: timestamp(now),
  only: (set) => set,
});

/**
 * The owners of an object's replicas during one write of its Scale. Models
 * apimachinery/pkg/util/managedfields/scalehandler.go.
 */
export class ScaleHandler {
  /** The owners of the fields of the Scale. */
  readonly owners: Owners;
  private readonly parentOwners: Owners;
  private readonly mapping: ScaleMapping;

  /** `object` is the stored one, with all of its entries complete. */
  constructor(kind: Kind, paths: ScalePaths, object: KubeObject) {
    this.mapping = {
      steps: stepsOf(paths.spec),
      apiVersion: apiVersionOf(kind.group, kind.version),
      isKnown: (version) => splitApiVersion(version)[0] === kind.group,
    };
    this.parentOwners = ownersOf(object.metadata.managedFields);
    this.owners = ownersOfScale(this.parentOwners, this.mapping);
  }

  /** Tracks an update by a manager; as in upstream, not while the replicas have no owner. */
  update(current: Scale, replicas: number, manager: string, now: Millis): void {
    if (this.owners.size > 0)
      trackUpdate(current, { ...current, spec: { replicas } }, this.owners, scaleWrite(manager, now));
  }

  /** The entries of the object after the write. Models ToParent. */
  get entries(): ManagedFieldsEntry[] | undefined {
    return entriesFrom([...ownersAfterScale(this.parentOwners, this.owners, this.mapping)]);
  }
}
