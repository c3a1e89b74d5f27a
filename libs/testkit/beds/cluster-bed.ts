import { catalog } from '../../containers/index.js';
import { makeTemplate } from '../../engine/cluster/template.js';
import type { TemplateOptions } from '../../engine/cluster/template-options.js';
import { Cluster, defaultWorkers, type KubeObject, type Kind } from '../../engine/index.js';
import type { Client } from '../../engine/machinery/client.js';
import { apiVersionOf, type ObjectMeta } from '../../engine/machinery/meta/object.js';
import { SECOND, type Millis } from '../../engine/machinery/time/time.js';
import { Events } from '../../engine/kinds/index.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** A whole cluster in virtual time: every component runs, every write is validated, errors are kept. */
export class ClusterBed {
  readonly errors: string[] = [];
  readonly cluster: Cluster;
  readonly client: Client;
  readonly start: Millis;

  /** `tokenKey`: service accounts have tokens, with which programs in pods ask the API server. */
  constructor(speed: TemplateOptions['speed'] = 'instant', workers = 2, tokenKey?: string) {
    this.cluster = new Cluster({
      seed: 'cluster-bed',
      images: catalog,
      strict: true,
      ...(tokenKey === undefined ? {} : { tokenKey }),
      onError: (controller, key, error) => this.errors.push(`${controller} ${key.name}: ${String(error)}`),
    });
    this.cluster.load(makeTemplate({ workers: defaultWorkers(workers), speed }, catalog));
    this.start = this.cluster.state.now;
    this.client = this.cluster.client(ADMIN);
  }

  /** Runs the components until so many seconds after the beginning. */
  at(seconds: number): this {
    const until = this.start + seconds * SECOND;
    this.cluster.advance(until);
    this.cluster.state.now = Math.max(this.cluster.state.now, until);
    return this;
  }

  /** Creates an object of the kind, in the namespace 'default' unless its metadata says otherwise. */
  create<T extends KubeObject>(kind: Kind<T>, name: string, fields: object = {}, metadata: ObjectMeta = {}): T {
    const namespace = kind.scope === 'Namespaced' ? { namespace: 'default' } : {};
    return this.client.create(kind, {
      apiVersion: apiVersionOf(kind.group, kind.version),
      kind: kind.kind,
      metadata: { name, ...namespace, ...metadata },
      ...fields,
    } as unknown as T);
  }

  get<T extends KubeObject>(kind: Kind<T>, name: string): T {
    const found = this.client.get(kind, { namespace: kind.scope === 'Cluster' ? '' : 'default', name });
    if (!found) throw new Error(`${kind.kind} ${name} is not there`);
    return found;
  }

  /** 'Reason: message' of the events about objects of this name, in the order in which they were created. */
  events(name: string): string[] {
    return this.client
      .list(Events, 'default')
      .filter((event) => event.involvedObject.name === name)
      .map((event) => `${event.reason}: ${event.message}`);
  }
}
