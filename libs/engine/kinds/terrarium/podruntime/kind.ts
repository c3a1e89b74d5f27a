import { defineKind } from '../../../machinery/kind.js';
import type { Unstructured } from '../../../machinery/meta/object.js';
import { keysOf, type Attached } from './attached-keys.js';

/** What a kubelet's container runtime knows of one pod; named as the pod is. The kubelet says what is in it. */
export const kind = defineKind<Unstructured>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'PodRuntime',
  plural: 'podruntimes',
  singular: 'podruntime',
  scope: 'Namespaced',
  definition: '',
  generation: false,
  internal: true,
  indexes: {
    /** Further interfaces, by where they are and who has given their addresses. */
    attached: ({ attachments }) => (attachments === undefined ? NONE : keysOf(attachments as readonly Attached[])),
    /** Nodes at which its containers pull their images, or wait for their turn. */
    pullsOn: ({ containers }) => nodesOf(containers as Containers | undefined),
  },
});

const NONE: readonly string[] = [];

type Containers = Readonly<Record<string, { readonly pull?: { readonly node: string } }>>;

function nodesOf(containers: Containers = {}): readonly string[] {
  let nodes: string[] | undefined;
  for (const name in containers) {
    const node = containers[name]!.pull?.node;
    if (node !== undefined && !nodes?.includes(node)) (nodes ??= []).push(node);
  }
  return nodes ?? NONE;
}
