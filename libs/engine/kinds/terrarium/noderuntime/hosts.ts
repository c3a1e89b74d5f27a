import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { kind as Nodes } from '../../core/node/kind.js';
import { kind as NodeRuntimes } from './kind.js';

/**
 * The host of a name, which goes on when its Node is deleted: as its Node is, or was then. Its uid and its creation
 * are those of its first Node, since a Node that is registered again makes no other host.
 */
export function findHost(read: Reader, name: string): Node | undefined {
  const key = { namespace: '', name };
  const node = read.get(Nodes, key);
  const machine = read.get(NodeRuntimes, key)?.machine;
  return node && machine ? asHost(node, machine) : (node ?? machine);
}

/** All hosts: those that have a Node first. */
export function listHosts(read: Reader): readonly Node[] {
  const nodes = read.list(Nodes);
  const machines = new Map(
    read.list(NodeRuntimes).flatMap(({ metadata: { name = '' }, machine }) => (machine ? [[name, machine]] : [])),
  );
  if (machines.size === 0) return nodes;
  const registered = nodes.map((node) => {
    const { name = '' } = node.metadata;
    const machine = machines.get(name);
    machines.delete(name);
    return machine ? asHost(node, machine) : node;
  });
  return [...registered, ...machines.values()];
}

const asHost = (node: Node, { metadata: { uid, creationTimestamp } }: Node): Node => ({
  ...node,
  metadata: { ...node.metadata, ...(uid ? { uid } : {}), ...(creationTimestamp ? { creationTimestamp } : {}) },
});
