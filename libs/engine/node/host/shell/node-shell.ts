import type { Container, Node, Pod } from '../../../api/core_v1.js';
import { findHost } from '../../../kinds/terrarium/noderuntime/hosts.js';
import type { Reader } from '../../../machinery/client.js';
import type { Key } from '../../../machinery/meta/object.js';
import { DEFAULT_VERSION } from '../../../machinery/releases.js';
import { digestOf } from '../../digest.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';

const IMAGE = 'docker.io/kindest/node';
/** One that is always there. */
const NAMESPACE = 'kube-node-lease';
const PREFIX = 'node:';
/** Where the machine of a node's shell has the node's disk. */
const DISK = '/host';
export const SHELL = 'shell';
/** The command of a shell that was asked for none: a login. */
const HOME = '/root';
const LOGIN = ['bash', '-l'];

/**
 * A terminal of a node itself is a session in a machine as a privileged pod would have it: the node's disk and network.
 * No such pod is among the cluster's objects, so that nobody sees it; its records stand under a key that no pod has.
 */
export function shellPod(node: Node): Pod {
  const { name = '', uid = '', creationTimestamp = '' } = node.metadata;
  const image = `${IMAGE}:${node.status.nodeInfo?.kubeletVersion ?? DEFAULT_VERSION}`;
  const container: Container = {
    name: SHELL,
    image,
    command: ['sleep', 'infinity'],
    securityContext: { privileged: true },
    volumeMounts: [{ name: 'disk', mountPath: DISK }],
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...shellKey(name), uid: `shell-${uid}`, creationTimestamp },
    spec: {
      nodeName: name,
      hostNetwork: true,
      hostPID: true,
      hostIPC: true,
      containers: [container],
      volumes: [{ name: 'disk', hostPath: { path: '/', type: '' } }],
    },
    status: {
      phase: 'Running',
      startTime: creationTimestamp,
      podIP: internalIPOf(node),
      containerStatuses: [
        {
          name: SHELL,
          image,
          imageID: '',
          containerID: `containerd://${digestOf(`${uid}/${SHELL}`)}`,
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: creationTimestamp } },
        },
      ],
    },
  };
}

/** Processes of a node's shell have pids from here on: its services have smaller ones, and its pods larger. */
export const SHELL_PID = 400;

/** Where the records of a node's shell stand. */
export const shellKey = (node: string): Key => ({ namespace: NAMESPACE, name: PREFIX + node });

export const isShell = ({ namespace, name }: Key): boolean => namespace === NAMESPACE && name.startsWith(PREFIX);

/** The name of the node whose shell has a key. */
export const nodeOfShell = ({ name }: Key): string => name.slice(PREFIX.length);

/** The pod that stands for a node's shell; undefined for other keys, and for a host that is gone. */
export function findShell(read: Reader, key: Key): Pod | undefined {
  if (!isShell(key)) return undefined;
  const node = findHost(read, nodeOfShell(key));
  return node && shellPod(node);
}

/** A command on the node's own disk, as root and in root's folder, where sshd begins it. */
export const onNode = (command: readonly string[]): string[] => [
  ...['chroot', DISK, 'env', `--chdir=${HOME}`],
  ...(command.length > 0 ? command : LOGIN),
];
