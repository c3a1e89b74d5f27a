/**
 * A node's shell, as a pod of its own name that nobody has: behind PREFIX, `kubectl exec NODE` opens a session on the
 * node itself (`nodes/NODE/shell`), also when its kubelet does not run.
 */
export const PREFIX = '/entered-nodes';

const POD = /^\/api\/v1\/namespaces\/[^/]+\/pods\/([^/]+)(\/exec)?$/;

/** What kubectl reads of a pod before it enters it. */
const podOf = (node: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: node, namespace: 'default' },
  spec: { containers: [{ name: 'shell', image: 'node' }] },
  status: { phase: 'Running' },
});

/** The path that is meant, or the pod that stands for a node. */
export function enterNode(path: string): { readonly path: string } | { readonly pod: object } {
  if (!path.startsWith(`${PREFIX}/`)) return { path };
  const inside = path.slice(PREFIX.length);
  const [, node, exec] = POD.exec(inside) ?? [];
  if (node === undefined) return { path: inside };
  return exec === undefined ? { pod: podOf(node) } : { path: `/api/v1/nodes/${node}/shell` };
}

/** `on NODE COMMAND…` of transcripts. */
export const ON_SCRIPT = `#!/bin/sh
node=$1
shift
exec kubectl --context=nodes exec -i "$node" -- "$@"
`;
