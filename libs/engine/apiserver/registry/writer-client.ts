import type { Scale } from '../../api/autoscaling_v1.js';
import type { DeleteOptions } from '../../api/meta_v1.js';
import type { Client } from '../../machinery/client.js';
import type { ActionRequest, Kind, ScalePaths } from '../../machinery/kind.js';
import { keyOf, type Key, type KubeObject, type Unstructured } from '../../machinery/meta/object.js';
import { ApiError, badRequest, notFound } from '../../machinery/meta/status.js';
import { withFields } from '../../runtime/attribution.js';
import { componentName, setEntries } from '../ownership/ownership.js';
import { scaleView } from '../verbs/scale.js';
import { scaleOf, ScaleOwnership } from '../ownership/scale-ownership.js';
import { withValue } from '../ownership/scale-paths.js';
import type { Store, WriteOptions } from './store.js';

const NO_QUERY = { get: (): null => null };

/** The Client of one user: reads the state, writes through the Writer. */
export class WriterClient implements Client {
  constructor(
    private readonly writer: Store,
    private readonly options: WriteOptions,
  ) {}

  get revision(): number {
    return this.writer.state.revision;
  }

  get<T extends KubeObject>(kind: Kind<T>, key: Key): T | undefined {
    const stored = kind.storedAs;
    if (!stored) return this.writer.state.get(kind, key);
    const object = this.writer.state.get(stored.kind, key);
    return object && stored.fromStorage(object);
  }

  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): readonly T[] {
    const stored = kind.storedAs;
    if (!stored) return this.writer.state.list(kind, namespace);
    return this.writer.state.list(stored.kind, namespace).map((o) => stored.fromStorage(o));
  }

  byIndex<T extends KubeObject>(kind: Kind<T>, index: string, value: string): readonly T[] {
    return this.writer.state.byIndex(kind, index, value);
  }

  dependents(ownerUid: string): readonly KubeObject[] {
    return this.writer.state.dependents(ownerUid);
  }

  create<T extends KubeObject>(kind: Kind<T>, object: T): T {
    return this.writer.create(kind, object, this.options);
  }

  update<T extends KubeObject>(kind: Kind<T>, object: T): T {
    return this.writer.update(kind, { ...object }, this.options);
  }

  updateStatus<T extends KubeObject>(kind: Kind<T>, object: T): T {
    return this.writer.update(kind, { ...object }, this.options, 'status');
  }

  delete<T extends KubeObject>(kind: Kind<T>, key: Key, options: DeleteOptions = {}): void {
    this.writer.delete(kind, key, options, this.options);
  }

  subresource<T extends KubeObject>(kind: Kind<T>, key: Key, name: string, body: unknown): unknown {
    const scale = name === 'scale' ? kind.subresources?.scale : undefined;
    if (scale) return this.scale(kind, key, scale, body as Scale);
    const action = kind.subresources?.actions?.[name];
    if (!action) throw new ApiError(404, 'NotFound', 'the server could not find the requested resource');
    const object = this.get(kind, key);
    if (!object) throw notFound(kind, key.name);
    const verb = action.verbs.find((v) => v === 'create' || v === 'update');
    if (!verb) throw badRequest(`${name} cannot be written`);
    return runAction(this.writer, kind, name, { verb, object, body, query: NO_QUERY }, this.options);
  }

  private scale<T extends KubeObject>(kind: Kind<T>, key: Key, paths: ScalePaths, { spec }: Scale): T {
    const object = this.get(kind, key);
    if (!object) throw notFound(kind, key.name);
    const { replicas = 0 } = spec;
    const { tracking = { manager: componentName(this.options.user.name) } } = this.options;
    const ownership = new ScaleOwnership(kind, paths, withFields(kind, object));
    if (tracking) ownership.update(scaleOf(object, paths), replicas, tracking.manager, this.writer.state.now);
    const draft = withValue(object as unknown as Unstructured, paths.spec, replicas) as unknown as T;
    draft.metadata = { ...draft.metadata };
    setEntries(draft, ownership.entries);
    return this.writer.update(kind, draft, {
      ...this.options,
      tracking: false,
      admittedAs: 'scale',
      view: scaleView(kind, paths),
    });
  }

  kindFor(apiVersion: string, kind: string): Kind | undefined {
    return this.writer.registry.kindFor(apiVersion, kind);
  }

  allKinds(): readonly Kind[] {
    return this.writer.registry.all().filter((k) => !k.storedAs);
  }
}

/** What admission may change is private. */
const bodyDraft = (body: unknown): Unstructured => {
  const draft = body as Unstructured;
  return { ...draft, metadata: { ...draft.metadata } };
};

/** Runs one action (pods/binding, namespaces/finalize) on an object, as `options.user`. */
export function runAction<T extends KubeObject>(
  writer: Store,
  kind: Kind<T>,
  name: string,
  request: Pick<ActionRequest<T>, 'verb' | 'object' | 'body' | 'query'>,
  options: WriteOptions,
): unknown {
  const action = kind.subresources!.actions![name]!;
  const body = action.verbs.includes('create') ? bodyDraft(request.body) : request.body;
  if (body !== request.body)
    writer.admitBody('CREATE', kind, keyOf(request.object), name, action.kind ?? kind, body as Unstructured, options);
  return action.handle({
    ...request,
    body,
    client: writer.client(options),
    context: writer.context(options.user),
    store: (draft) => writer.update(kind, { ...draft }, options, name),
  });
}
