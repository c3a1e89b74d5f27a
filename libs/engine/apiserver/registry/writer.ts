import type { DeleteOptions } from '../../api/meta_v1.js';
import type { Client, User, WriteContext } from '../../machinery/client.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { CallOutside, Dial, WaitForComponent } from '../../machinery/requests/http.js';
import type { Kind } from '../../machinery/kind.js';
import type { Key, KubeObject, Unstructured } from '../../machinery/meta/object.js';
import type { ObjectType, ObjectView } from '../../runtime/admission.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state/state.js';
import type { AdmissionChain } from './admission/admission-chain.js';
import type { WriteOptions } from './write-options.js';

/** The subresource that an object is written through, and its shape there: a Deployment through its Scale. */
export interface SubresourceView extends ObjectView {
  readonly subresource: string;
}

/** The body of a subresource or a connection of an object: a Binding, an Eviction, PodExecOptions. */
export interface SubresourceBody {
  readonly key: Key;
  readonly type: ObjectType;
  readonly object: Unstructured;
}

/** The result of a delete: the object as it is now, or as it last was, and whether it is removed. */
export interface Deletion<T extends KubeObject> {
  readonly object: T;
  readonly deleted: boolean;
}

/** The write path, as the API's handlers and the components' clients call it. Models registry/rest StandardStorage. */
export interface Writer {
  readonly state: State;
  readonly registry: Registry;
  readonly admission: AdmissionChain;
  /** The cluster's certificate authority and the key of its tokens. */
  readonly keys: ClusterKeys | undefined;
  /** The way to the ports of pods, for webhooks. */
  readonly dial: Dial | undefined;
  /** The way to addresses outside the cluster, for webhooks. */
  readonly outside: CallOutside | undefined;
  readonly waitForComponent: WaitForComponent | undefined;

  /** A client whose writes have these options. */
  client(options: WriteOptions): Client;
  /** The context for the hooks of kinds; its random draws follow from the seed and the revision. */
  context(user: User): WriteContext;
  /** Stores a new object; the draft becomes the state's. Returns the object in its storage version. */
  create<T extends KubeObject>(kind: Kind<T>, draft: T, options: WriteOptions): T;
  /**
   * Replaces an object without its status (`subresource` ''), its status alone ('status'), or, for the name of an
   * action, the whole object past the kind's update rules. Writes nothing when nothing changes. With a `view`,
   * admission sees the object through it.
   */
  update<T extends KubeObject>(
    kind: Kind<T>,
    draft: T,
    options: WriteOptions,
    subresource?: string,
    view?: SubresourceView,
  ): T;
  /** Removes an object, or marks it for deletion. */
  delete<T extends KubeObject>(kind: Kind<T>, key: Key, deletion: DeleteOptions, options: WriteOptions): Deletion<T>;
  /** Runs admission of a subresource's body, and stores nothing. Throws the ApiError of a plug-in that refuses it. */
  admitBody(
    operation: 'CREATE' | 'CONNECT',
    kind: Kind,
    subresource: string,
    body: SubresourceBody,
    options: WriteOptions,
  ): void;
}
