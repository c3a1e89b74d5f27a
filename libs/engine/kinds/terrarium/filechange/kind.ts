import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/** One changed inode or name of a tree of files: a container's, or a volume's. The container runtime reads the row. */
export interface FileChange extends KubeObject {
  /** The tree's id. */
  tree: string;
  /** Whose end is the tree's end: the uid of a pod, 'volume/' and a PersistentVolume's name, 'node/' and a node's. */
  owner: string;
  /** A kernel FileRow. */
  row: unknown;
}

export const kind = defineKind<FileChange>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'FileChange',
  plural: 'filechanges',
  singular: 'filechange',
  scope: 'Cluster',
  nameRule: 'pathSegment',
  definition: '',
  generation: false,
  internal: true,
  indexes: { tree: ({ tree }) => [tree], owner: ({ owner }) => [owner] },
});
