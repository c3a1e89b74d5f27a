import type { DeleteOptions } from '../../api/meta_v1.js';
import type { WriteContext } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import type { Key, KubeObject } from '../../machinery/meta/object.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import type { DeletionPlan } from './rest/before-delete.js';
import type { WriteOptions } from './write-options.js';
import type { SubresourceBody, SubresourceView, Writer } from './writer.js';

/** One write on its way through the steps of its operation. */
export class Write {
  /** The version that is stored, once convertToStorageVersion has run; the hooks of this kind are called. */
  kind: Kind;
  /** Set by seedContext. */
  context!: WriteContext;
  /** The plug-ins that handle this write, and its attributes; set by the admission steps. */
  plugins: readonly AdmissionPlugin[] = [];
  admission: AdmissionRequest | undefined = undefined;
  /** A plug-in has changed the draft, so that a component's write must be validated too. */
  changedByAdmission = false;
  /** The object as it is after the write. A step that sets it ends the write: no further step runs. */
  result: KubeObject | undefined = undefined;

  constructor(
    readonly writer: Writer,
    readonly operation: AdmissionRequest['operation'],
    /** The version that the client speaks. */
    readonly requestKind: Kind,
    /** The subresource that admission sees: 'scale' of an object that is written through its Scale; '' by default. */
    readonly subresource: string,
    readonly options: WriteOptions,
    readonly view: SubresourceView | undefined,
  ) {
    this.kind = requestKind;
  }
}

export class CreateWrite extends Write {
  /** The draft as a component has sent it, before admission: its component owns these fields, and no others. */
  sent: KubeObject | undefined = undefined;

  constructor(
    writer: Writer,
    kind: Kind,
    /** The new object, which the steps complete in place. */
    public draft: KubeObject,
    options: WriteOptions,
  ) {
    super(writer, 'CREATE', kind, '', options, undefined);
  }
}

export class UpdateWrite extends Write {
  /** The object in the state, set by getExisting. */
  stored!: KubeObject;
  /** The stored object in the version of the kind. The same value, unless a CRD has changed since it was stored. */
  old!: KubeObject;
  /** The component whose entry of managedFields may stay deferred, if the write turns out to change anything. */
  deferredManager: string | undefined = undefined;

  constructor(
    writer: Writer,
    kind: Kind,
    /** The object as it is to be, which the steps complete in place. */
    public draft: KubeObject,
    options: WriteOptions,
    /** '' for all but the status, 'status', or the name of an action. */
    readonly target: string,
    view: SubresourceView | undefined,
  ) {
    super(writer, 'UPDATE', kind, view?.subresource ?? target, options, view);
  }
}

export class DeleteWrite extends Write {
  /** The stored object, set by getExisting. */
  old!: KubeObject;
  /** What the deletion is to do, set by planDeletion. */
  plan!: DeletionPlan;
  /** The object marked for deletion, when it is not removed at once. */
  draft!: KubeObject;
  readonly dryRun: boolean;
  /** The object is removed from the state. */
  deleted = false;

  constructor(
    writer: Writer,
    kind: Kind,
    readonly key: Key,
    readonly deletion: DeleteOptions,
    options: WriteOptions,
  ) {
    super(writer, 'DELETE', kind, '', options, undefined);
    this.dryRun = options.dryRun || (deletion.dryRun?.length ?? 0) > 0;
  }
}

/** The admission of a subresource's body, which stores nothing. */
export class BodyWrite extends Write {
  constructor(
    writer: Writer,
    operation: 'CREATE' | 'CONNECT',
    kind: Kind,
    subresource: string,
    readonly body: SubresourceBody,
    options: WriteOptions,
  ) {
    super(writer, operation, kind, subresource, options, undefined);
  }
}

/** One step of a write. Throws ApiError to refuse it. */
export type Step<W extends Write> = (write: W) => void;

/** Runs the steps in their order, until one of them sets the write's result. */
export function runSteps<W extends Write>(steps: readonly Step<W>[], write: W): void {
  for (const step of steps) {
    step(write);
    if (write.result !== undefined) return;
  }
}
