import { Store } from '../../engine/apiserver/registry/store.js';
import { componentOptions } from '../../engine/apiserver/registry/write-options.js';
import type { Pod } from '../../engine/api/core_v1.js';
import { Events, kinds, Pods } from '../../engine/kinds/index.js';
import type { Client } from '../../engine/machinery/client.js';
import { ClusterKeys } from '../../engine/machinery/crypto/cluster-keys.js';
import type { Kind } from '../../engine/machinery/kind.js';
import { apiVersionOf, keyOf, type KubeObject, type ObjectMeta } from '../../engine/machinery/meta/object.js';
import { SECOND, timestamp, type Millis } from '../../engine/machinery/time/time.js';
import type { AdmissionPlugin } from '../../engine/runtime/admission.js';
import { defineController, type Controller } from '../../engine/runtime/controller.js';
import { Loop } from '../../engine/runtime/loop.js';
import { Registry } from '../../engine/runtime/registry.js';
import { State } from '../../engine/runtime/state/state.js';

const EPOCH: Millis = Date.UTC(2026, 0, 1);

export interface BedOptions {
  readonly controllers: readonly Controller[];
  readonly plugins?: readonly AdmissionPlugin[];
  /** How long a pod takes to become ready; 'never' leaves it pending. By default at once. */
  readyAfter?(pod: Pod): Millis | 'never';
}

/** Some controllers, the write path and a stand-in for the kubelets: every write is validated, errors are kept. */
export class ControllerBed {
  readonly state = new State({ now: EPOCH });
  readonly errors: string[] = [];
  readonly client: Client;
  private readonly loop: Loop;
  private addresses = 0;

  constructor(options: BedOptions) {
    const registry = new Registry(kinds);
    for (const kind of registry.all()) {
      if (kind.storedAs) continue;
      for (const [name, of] of Object.entries(kind.indexes ?? {}))
        this.state.addIndex(this.state.resourceOf(kind), name, of);
    }
    const keys = new ClusterKeys('bed');
    const writer = new Store(this.state, registry, options.plugins ?? [], { seed: 'bed', keys });
    const clientFor = (name: string, cause: () => number): Client =>
      writer.client(
        componentOptions(
          {
            user: { name, groups: [] },
            get cause() {
              return cause();
            },
          },
          true,
        ),
      );
    this.client = clientFor('kubernetes-admin', () => 0);
    this.loop = new Loop({
      state: this.state,
      controllers: [...options.controllers, this.kubelet(options)],
      events: Events,
      seed: 'bed',
      keys,
      clientFor,
      isEnabled: () => true,
      onError: (controller, key, error) =>
        this.errors.push(
          `${controller} ${key.namespace}/${key.name}: ${error instanceof Error ? error.message : String(error)}`,
        ),
    });
    this.state.onChange = (change) => this.loop.observe(change);
  }

  /** Lets time pass; by default none: until nothing is left to do now. */
  settle(span: Millis = 0): this {
    const until = this.state.now + span;
    this.loop.advance(until, 1_000_000);
    this.state.now = until;
    return this;
  }

  /** What a process that has just loaded the cluster does: every key once more. Returns the number of writes. */
  restart(): number {
    const before = this.state.revision;
    this.loop.enqueueAll();
    this.loop.advance(this.state.now, 1_000_000);
    return this.state.revision - before;
  }

  /** Creates an object of the kind, in the namespace 'default' unless its metadata says otherwise. */
  create<T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    fields: Partial<Omit<T, 'apiVersion' | 'kind' | 'metadata'>> = {},
    metadata: Partial<ObjectMeta> = {},
  ): T {
    const namespace = kind.scope === 'Namespaced' ? { namespace: 'default' } : {};
    return this.client.create(kind, {
      apiVersion: apiVersionOf(kind.group, kind.version),
      kind: kind.kind,
      metadata: { name, ...namespace, ...metadata },
      ...fields,
    } as unknown as T);
  }

  get<T extends KubeObject>(kind: Kind<T>, name: string, namespace = 'default'): T {
    const found = this.client.get(kind, { namespace: kind.scope === 'Cluster' ? '' : namespace, name });
    if (!found) throw new Error(`${kind.kind} ${namespace}/${name} is not there`);
    return found;
  }

  /** 'Reason message' of every event, in the order they were first seen. */
  events(reason?: string): string[] {
    return [...this.client.list(Events)]
      .sort(
        (a, b) =>
          Number(a.involvedObject.resourceVersion ?? 0) - Number(b.involvedObject.resourceVersion ?? 0) ||
          Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion),
      )
      .filter((e) => !reason || e.reason === reason)
      .map((e) => `${e.reason} ${e.message}`);
  }

  /** Ends a pod's containers: 'Succeeded' or 'Failed'. */
  finish(pod: Pod, phase: 'Succeeded' | 'Failed', exitCode = phase === 'Failed' ? 1 : 0): void {
    const at = timestamp(this.state.now);
    const containerStatuses = pod.spec.containers.map((c) => ({
      name: c.name,
      image: c.image ?? '',
      imageID: '',
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode, startedAt: at, finishedAt: at, reason: exitCode ? 'Error' : 'Completed' } },
    }));
    this.client.updateStatus(Pods, {
      ...pod,
      status: {
        ...pod.status,
        phase,
        containerStatuses,
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at }],
      },
    });
  }

  private kubelet({ readyAfter = () => 0 }: BedOptions): Controller {
    return defineController({
      name: 'kubelet',
      component: 'kubelet',
      actor: 'system:node:worker',
      for: Pods,
      reconcile: ({ client, now }, key) => {
        const pod = client.get(Pods, key);
        if (!pod) return undefined;
        if (pod.metadata.deletionTimestamp !== undefined) {
          client.delete(Pods, key, { gracePeriodSeconds: 0 });
          return undefined;
        }
        if (pod.status.phase !== 'Pending') return undefined;
        const delay = readyAfter(pod);
        if (delay === 'never') return undefined;
        const due = Date.parse(pod.metadata.creationTimestamp!) + delay;
        if (due > now) return { requeueAfter: due - now };
        this.addresses++;
        const podIP = `10.244.${this.addresses >> 8}.${this.addresses & 255}`;
        const at = timestamp(now);
        client.updateStatus(Pods, {
          ...pod,
          status: {
            ...pod.status,
            phase: 'Running',
            startTime: at,
            podIP,
            podIPs: [{ ip: podIP }],
            conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at }],
          },
        });
        return undefined;
      },
    });
  }
}

export const names = (objects: readonly KubeObject[]): string[] => objects.map((o) => keyOf(o).name);
export const seconds = (n: number): Millis => n * SECOND;
