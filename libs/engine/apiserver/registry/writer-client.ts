import type { Scale } from '../../api/autoscaling_v1.js';
import type { DeleteOptions } from '../../api/meta_v1.js';
import type { Client } from '../../machinery/client.js';
import type { Kind, ScalePaths } from '../../machinery/kind.js';
import type { Key, KubeObject } from '../../machinery/meta/object.js';
import { ApiError, badRequest, notFound } from '../../machinery/meta/status.js';
import { completeManagedFields } from '../../runtime/managed-fields.js';
import { managerOfComponent } from '../ownership/field-manager.js';
import { NO_OWNER } from '../ownership/field-owner.js';
import { scaleOf, scaleView, withReplicas } from '../scale/scale.js';
import { ScaleHandler } from '../scale/scale-handler.js';
import { runAction } from './run-action.js';
import type { WriteOptions } from './write-options.js';
import type { Writer } from './writer.js';

const NO_QUERY = { get: (): null => null };

/** A client whose writes have the same options: reads the state, and writes through the Writer. */
export class WriterClient implements Client {
  constructor(
    private readonly writer: Writer,
    private readonly options: WriteOptions,
  ) {}

  get revision(): number {
    return this.writer.state.draws;
  }

  get<T extends KubeObject>(kind: Kind<T>, key: Key): T | undefined {
    const { storedAs } = kind;
    if (!storedAs) return this.writer.state.get(kind, key);
    const object = this.writer.state.get(storedAs.kind, key);
    return object && storedAs.fromStorage(object);
  }

  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): readonly T[] {
    const { storedAs } = kind;
    if (!storedAs) return this.writer.state.list(kind, namespace);
    return this.writer.state.list(storedAs.kind, namespace).map((o) => storedAs.fromStorage(o));
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
    const paths = name === 'scale' ? kind.subresources?.scale : undefined;
    if (paths) return this.updateScale(kind, key, paths, body as Scale);
    const action = kind.subresources?.actions?.[name];
    if (!action) throw new ApiError(404, 'NotFound', 'the server could not find the requested resource');
    const object = this.getExisting(kind, key);
    const verb = action.verbs.find((v) => v === 'create' || v === 'update');
    if (!verb) throw badRequest(`${name} cannot be written`);
    return runAction(this.writer, kind, name, { verb, object, body, query: NO_QUERY }, this.options);
  }

  private updateScale<T extends KubeObject>(kind: Kind<T>, key: Key, paths: ScalePaths, { spec }: Scale): T {
    const object = this.getExisting(kind, key);
    const { replicas = 0 } = spec;
    const handler = new ScaleHandler(kind, paths, completeManagedFields(kind, object));
    const manager = this.fieldManager();
    if (manager !== undefined) handler.update(scaleOf(object, paths), replicas, manager, this.writer.state.now);
    const draft = withReplicas(object, paths, replicas, handler.entries);
    const options = { ...this.options, fieldOwner: NO_OWNER };
    return this.writer.update(kind, draft, options, '', scaleView(kind, paths));
  }

  /** The name that this client's writes are tracked under. */
  private fieldManager(): string | undefined {
    const { fieldOwner, requester } = this.options;
    if (fieldOwner.type === 'manager') return fieldOwner.manager;
    return fieldOwner.type === 'component' ? managerOfComponent(requester.user.name) : undefined;
  }

  /** Throws 404. */
  private getExisting<T extends KubeObject>(kind: Kind<T>, key: Key): T {
    const object = this.get(kind, key);
    if (!object) throw notFound(kind, key.name);
    return object;
  }

  kindFor(apiVersion: string, kind: string): Kind | undefined {
    return this.writer.registry.kindFor(apiVersion, kind);
  }

  allKinds(): readonly Kind[] {
    return this.writer.registry.all().filter((k) => !k.storedAs);
  }
}
