/** Nodes and disks for the specs of hosts. */
import type { Node } from '../../api/core_v1.js';
import { bytesOf } from '../../kernel/bytes.js';
import { node } from '../kubelet/testing.js';
import type { Disk } from './files/disk.js';
import { nodeFiles } from './files/node-files.js';
import { readerOf } from '../kubelet/testing.js';

export const CP: Node = node(
  {},
  { metadata: { name: 'cp', uid: 'n1', labels: { 'node-role.kubernetes.io/control-plane': '' } } },
);

/** A node's disk as kubeadm left it, with these files changed; null: one is gone. */
export function diskOf(of: Node, changes: Readonly<Record<string, string | null>> = {}): Disk {
  const name = of.metadata.name ?? '';
  const lower = nodeFiles(name, { read: readerOf(of), imageFiles: () => ({}) });
  const files = new Map<string, string>();
  for (const [path, { type, content = '' }] of Object.entries(lower)) if (type === 'file') files.set(path, content);
  for (const [path, content] of Object.entries(changes))
    if (content === null) files.delete(path);
    else files.set(path, bytesOf(content));
  return {
    has: (path) => files.has(path),
    read: (path) => files.get(path),
    list: (path) => [
      ...new Set(
        [...files.keys()]
          .filter((f) => f.startsWith(`${path}/`))
          .map((f) => f.slice(path.length + 1).split('/', 1)[0]!),
      ),
    ],
  };
}

/** A file of the disk with a text in it replaced. */
export const edited = (of: Node, path: string, from: string, to: string): Record<string, string> => {
  const before = diskOf(of).read(path) ?? '';
  if (!before.includes(from)) throw new Error(`${path} has no ${from}`);
  return { [path]: before.replaceAll(from, to) };
};
