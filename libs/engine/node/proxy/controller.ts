import type { Node, Pod } from '../../api/core_v1.js';
import { Components, Faults, Nodes, Pods, ProxyRuntimes, ProxySnapshots } from '../../kinds/index.js';
import { activeEffects, changesEffects, nodesOf } from '../../kinds/terrarium/fault/active.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import type { Component } from '../../kinds/terrarium/component/kind.js';
import type { Client, Reader } from '../../machinery/client.js';
import type { Key } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch } from '../../runtime/controller.js';
import { takeSnapshot } from './snapshot.js';

const COMPONENT = 'kube-proxy';
const NAMESPACE = 'kube-system';
const APP_LABEL = 'k8s-app';
/** A node that is so old and has no kube-proxy gets none by itself. */
const FIRST_START = 30 * SECOND;

/**
 * Keeps the rules of a node as they were while its kube-proxy does not run. A proxy that runs needs nothing: its rules
 * are a function of the state.
 */
export const proxy = defineController<Node>({
  name: 'proxy',
  component: 'terrarium',
  actor: 'system:terrarium',
  for: { kind: Nodes, when: (_node, old) => old === undefined },
  watches: [
    watch<Pod>({ kind: Pods, when: (pod) => isProxy(pod), keys: ({ spec }) => keysOf(spec.nodeName) }),
    watch<Component>({
      kind: Components,
      when: ({ metadata }) => metadata.name === COMPONENT,
      keys: (_component, read) =>
        read.list(Nodes).map(({ metadata }) => ({ namespace: '', name: metadata.name ?? '' })),
    }),
    watch<Fault>({
      kind: Faults,
      when: (fault, old) => changesEffects(fault, old, 'proxy'),
      keys: (fault) => nodesOf(fault, 'proxy').flatMap(keysOf),
    }),
  ],
  reconcile({ client, now }, { name }) {
    const known = client.get(ProxyRuntimes, { namespace: '', name });
    const node = client.get(Nodes, { namespace: '', name });
    const pod = client.byIndex(Pods, 'nodeName', name).find(isProxy);
    if (!node || isUp(client, name, pod)) return known && forget(client, name, known.snapshot);
    if (known || (pod && hasNeverRun(pod))) return undefined;
    if (!pod) {
      const left = ageLeft(node, now);
      if (left > 0) return { requeueAfter: left };
    }
    const snapshot = pod ? takeSnapshot(client) : undefined;
    client.create(ProxyRuntimes, {
      apiVersion: 'terrarium.dev/v1alpha1',
      kind: 'ProxyRuntime',
      metadata: { name },
      ...(snapshot === undefined ? {} : { snapshot }),
    });
    return undefined;
  },
});

const keysOf = (node: string | undefined): readonly Key[] => (node ? [{ namespace: '', name: node }] : NO_KEYS);

const isProxy = ({ metadata }: Pod): boolean =>
  metadata.namespace === NAMESPACE && metadata.labels?.[APP_LABEL] === COMPONENT;

const ageLeft = ({ metadata }: Node, now: Millis): Millis =>
  parseTimestamp(metadata.creationTimestamp ?? '') + FIRST_START - now;

/** It gets SIGTERM as soon as it is to be deleted, and ends at once. */
function isUp(read: Reader, node: string, pod: Pod | undefined): boolean {
  if (activeEffects(read, 'proxy').some(({ nodes }) => nodes.includes(node))) return false;
  if (read.get(Components, { namespace: '', name: COMPONENT })?.spec.enabled === false) return false;
  if (!pod || pod.metadata.deletionTimestamp) return false;
  return pod.status.containerStatuses?.some(({ state }) => state?.running) ?? false;
}

const hasNeverRun = ({ metadata, status }: Pod): boolean =>
  !metadata.deletionTimestamp &&
  !status.containerStatuses?.some(({ state, lastState, restartCount }) =>
    [restartCount > 0, state?.running, state?.terminated, lastState?.terminated].some(Boolean),
  );

function forget(client: Client, name: string, snapshot: string | undefined): void {
  client.delete(ProxyRuntimes, { namespace: '', name });
  if (snapshot !== undefined && client.byIndex(ProxyRuntimes, 'snapshot', snapshot).length === 0)
    client.delete(ProxySnapshots, { namespace: '', name: snapshot });
}
