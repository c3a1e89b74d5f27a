import { FileChanges, MachineChanges, Nodes, PodMachines } from '../../../kinds/index.js';
import { findHost } from '../../../kinds/terrarium/noderuntime/hosts.js';
import type { Node } from '../../../api/core_v1.js';
import type { FileChange } from '../../../kinds/terrarium/filechange/kind.js';
import type { Reader } from '../../../machinery/client.js';
import type { Key, KubeObject } from '../../../machinery/meta/object.js';
import type { Millis } from '../../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Controller, type Result } from '../../../runtime/controller.js';
import type { Machines } from '../../cri/machines.js';
import { isOfLog } from '../../cri/records/file-record.js';
import { podNameOf, readMachine } from '../../cri/records/machine-record.js';
import { isShell, nodeOfShell, shellKey, shellPod } from './node-shell.js';

const TREE = 'node/';
/** Writes to a node's disk that come together are looked at once. */
const DELAY: Millis = 20;

/**
 * Lets what runs in nodes' shells do in its time what others see: write to the node's disk, which its kubelet reads,
 * and ask the API server and the container runtime. Whether somebody reads what a shell prints makes no difference.
 */
export const nodeShells = (machines?: Machines): Controller =>
  defineController<Node>({
    name: 'node-shells',
    component: 'terrarium',
    actor: (key) => `system:node:${key.name}`,
    for: { kind: Nodes, when: () => false },
    watches: [
      watch({ kind: PodMachines, keys: nodeOfRecord }),
      watch({ kind: MachineChanges, keys: nodeOfRecord }),
      // A script may wait for a file that a pod's program, or another shell, leaves there.
      watch({ kind: FileChanges, delay: DELAY, keys: nodeOfTree }),
    ],
    reconcile({ client, now }, { name }): Result | void {
      const node = findHost(client, name);
      const shell = node && shellPod(node);
      if (!machines || !shell || !readMachine(client, shell)) return;
      const next = machines.followBeside(client, machines.viewOf(shell), now);
      return next === Infinity ? undefined : { requeueAfter: Math.max(1, next - now) };
    },
  });

function nodeOfRecord({ metadata: { namespace = '', name = '' } }: KubeObject): readonly Key[] {
  const key = { namespace, name: podNameOf(name) };
  return isShell(key) ? [{ namespace: '', name: nodeOfShell(key) }] : NO_KEYS;
}

function nodeOfTree({ tree, row }: FileChange, read: Reader): readonly Key[] {
  if (!tree.startsWith(TREE) || isOfLog(row)) return NO_KEYS;
  const name = tree.slice(TREE.length);
  return read.get(PodMachines, shellKey(name)) ? [{ namespace: '', name }] : NO_KEYS;
}
