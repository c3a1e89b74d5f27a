import type { Pod } from '../../../api/core_v1.js';
import { PodSandboxes } from '../../../kinds/index.js';
import type { PodSandbox } from '../../../kinds/terrarium/podsandbox/kind.js';
import type { Reader } from '../../../machinery/client.js';
import type { Key } from '../../../machinery/meta/object.js';
import { findShell, isShell } from '../../host/shell/node-shell.js';

/** One that is always there. */
const NAMESPACE = 'kube-node-lease';
const PREFIX = 'sandbox.';

/** Where the records of a sandbox's machine stand: no pod has this key. */
export const sandboxKey = (id: string): { namespace: string; name: string } => ({
  namespace: NAMESPACE,
  name: PREFIX + id,
});

export const isSandbox = ({ namespace, name }: Key): boolean => namespace === NAMESPACE && name.startsWith(PREFIX);

/** Whether a key is of what runs on a node without being a pod of the cluster: its shell, a sandbox. */
export const isUnlisted = (key: Key): boolean => isShell(key) || isSandbox(key);

/** The pod that stands for it; undefined for other keys, and for what is gone. */
export function findUnlisted(read: Reader, key: Key): Pod | undefined {
  if (!isSandbox(key)) return findShell(read, key);
  return read.get(PodSandboxes, { namespace: '', name: key.name.slice(PREFIX.length) })?.pod;
}

/** What somebody has made at the runtime of a node. */
export const sandboxesOf = (read: Reader, node: string): readonly PodSandbox[] =>
  read.byIndex(PodSandboxes, 'node', node);
