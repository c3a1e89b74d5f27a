import type { Node } from '../../../api/core_v1.js';
import type { ApiServerConfiguration } from './api-server-configuration.js';
import { defineKind } from '../../../machinery/kind.js';
import type { Reader } from '../../../machinery/client.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/** How a service of a node's systemd does. */
export interface NodeService {
  /** `failing`: it ends whenever it is started. `cut`: it runs, and does not reach the API server. */
  state: 'running' | 'stopped' | 'failing' | 'cut';
  /** metav1.MicroTime. */
  since: string;
  /** The run of the service that was looked at last: a start is another one. */
  run: string;
  /** What it printed before it ended. */
  message?: string;
}

/** A manifest of /etc/kubernetes/manifests that is not as kubeadm wrote it. */
export interface NodeManifest {
  /** The file's name. */
  file: string;
  /** The pod that it describes, as the file says it; absent when it is not one. */
  pod?: unknown;
  /** The digest of the pod, which its mirror pod has as an annotation. */
  hash?: string;
  /** Why it is none, in the kubelet's words. */
  error?: string;
}

/** Addresses that are given to pods, both ends included; the gateway's is not. */
export interface AddressRange {
  first: string;
  last: string;
  gateway: string;
}

/** What the container runtime makes of /etc/cni/net.d, where that is not as the network's agent wrote it. */
export interface NodeNetwork {
  /** Why nothing can be plugged in, as the runtime's status says it. */
  error?: string;
  /** Why no pod can be plugged in, as the plug-in that fails says it. */
  failure?: string;
  /** The plug-in that makes a pod's interface. */
  plugin?: string;
  /** Absent: those of the node's podCIDR. */
  ranges?: AddressRange[];
  /** The range of IPv6 that a second address is given of. */
  range6?: string;
  /** Who gives addresses by objects of the API instead. */
  ipam?: 'calico' | 'cilium';
  /** The one that every pod is given. */
  address?: string;
  /** Of a pod's interface; 1500 by default. */
  mtu?: number;
  /** Ports of the host do not lead to pods. */
  hasNoPortMap?: boolean;
  /** Multus makes the networks that pods ask for beside this one. */
  multus?: {
    /** 'multus', or 'multus-shim', whose daemon does the work. */
    type: string;
    /** Of its file, where that is no list. */
    name?: string;
    /** The name of the network that all pods have. */
    network: string;
    /** What is in /opt/cni/bin. */
    binaries: string[];
  };
}

/** What a kubelet acts on of the file that it has read. Models kubelet/config/v1beta1. */
export interface KubeletConfiguration {
  /** Of who reaches the kubelet's port; absent, as the mode: as kubeadm sets it up. */
  authentication?: { anonymous: { enabled: boolean } };
  authorization?: { mode: string };
  allowedUnsafeSysctls?: string[];
  evictionHard?: Record<string, string>;
  evictionSoft?: Record<string, string>;
  evictionSoftGracePeriod?: Record<string, string>;
  evictionMinimumReclaim?: Record<string, string>;
  evictionPressureTransitionPeriod?: string;
  evictionMaxPodGracePeriod?: number;
  mergeDefaultEvictionSettings?: boolean;
  imageGCHighThresholdPercent?: number;
  imageGCLowThresholdPercent?: number;
  kubeReserved?: Record<string, string>;
  systemReserved?: Record<string, string>;
  reservedSystemCPUs?: string;
  maxPods?: number;
  podPidsLimit?: number;
  serializeImagePulls?: boolean;
  maxParallelImagePulls?: number;
  enableSystemLogHandler?: boolean;
  enableSystemLogQuery?: boolean;
  seccompDefault?: boolean;
  serverTLSBootstrap?: boolean;
  shutdownGracePeriod?: string;
  shutdownGracePeriodCriticalPods?: string;
  shutdownGracePeriodByPodPriority?: { priority: number; shutdownGracePeriodSeconds: number }[];
  cpuManagerPolicy?: string;
  topologyManagerPolicy?: string;
  topologyManagerScope?: string;
}

/** What a kubelet serves TLS with that asks for its certificate. */
export interface ServingCertificate {
  /** Its CertificateSigningRequest. */
  request: string;
  /** The run of the kubelet that has asked. */
  run: string;
  /** The private key, 32 bytes in base64. */
  key: string;
  /** PEM; absent: nobody has approved the request. */
  certificate?: string;
  /** The renewal that was asked for: the certificate's CertificateSigningRequest, and its key. */
  next?: { request: string; key: string };
  /** How often it has asked for what it waits for. */
  asks?: number;
}

/** Handlers of RuntimeClasses by name, and the runtimes that they stand for: 'io.containerd.runsc.v1'. */
export type RuntimeHandlers = Readonly<Record<string, string>>;

/** A node that somebody switches off. */
export interface NodeShutdown {
  /** metav1.MicroTime. */
  since: string;
  /** Nothing of it runs any more. */
  isOff?: boolean;
}

/**
 * What a node's disk has made of its services, once somebody has changed it; named as the node is. A node without one
 * is as kubeadm left it: its kubelet runs, and its static pods are the control plane's.
 */
export interface NodeRuntime extends KubeObject {
  kubelet: NodeService;
  containerd: NodeService;
  /** Absent: nobody has touched the folder. */
  manifests?: NodeManifest[];
  /** Requests of kubeadm that were answered: names of files. */
  requests?: string[];
  /** Absent: nobody has touched it. */
  network?: NodeNetwork;
  /** The restoration of a snapshot that etcd's data are of; absent: they are the node's first. */
  restored?: string;
  /** Components of the control plane that do not come up, and why. */
  broken?: Record<string, string>;
  /** As the kube-apiserver that runs has read it; absent: as kubeadm wrote it. */
  apiServer?: ApiServerConfiguration;
  /** As the kubelet that runs has read it; absent: as kubeadm wrote it. */
  configuration?: KubeletConfiguration;
  /** When the kubelet first found thresholds of eviction met (metav1.MicroTime), by signal; soft ones: `soft:…`. */
  thresholds?: Record<string, string>;
  /** Absent: it has a certificate of its own. */
  serving?: ServingCertificate;
  shutdown?: NodeShutdown;
  /** As the containerd that runs has read them; absent: as the node was set up. */
  handlers?: RuntimeHandlers;
  /** What a Fault does to the node. */
  fault?: 'off' | 'kubelet-stopped' | 'runtime-stopped' | 'cut';
  /** The release of the kubelet that kubeadm set the node up with, once another one has run. */
  installed?: string;
  /** The release of the kubelet that was started last: 'v1.36.4'. */
  release?: string;
  /**
   * The host, as its Node was when that was deleted, with the uid and creation of the first one: it goes on without.
   * It stays when the host is registered again. Its deletionTimestamp says when its last Node was deleted. Absent:
   * that has never happened.
   */
  machine?: Node;
}

export const kind = defineKind<NodeRuntime>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'NodeRuntime',
  plural: 'noderuntimes',
  singular: 'noderuntime',
  scope: 'Cluster',
  definition: '',
  generation: false,
  internal: true,
});

/** Whether the kubelet of a node does its work. */
export const isKubeletRunning = (read: Reader, node: string): boolean => {
  const found = read.get(kind, { namespace: '', name: node });
  return found === undefined || found.kubelet.state === 'running';
};

/** Whether a node is switched off. */
export const isOff = (read: Reader, node: string): boolean =>
  read.get(kind, { namespace: '', name: node })?.shutdown?.isOff === true;

/** Whether a node does what the API server says of its pods: its kubelet runs, and has a container runtime. */
export const runsPods = (read: Reader, node: string): boolean => {
  const found = read.get(kind, { namespace: '', name: node });
  return found === undefined || (found.kubelet.state === 'running' && found.containerd.state === 'running');
};

/** What the kubelet of a node was told; an empty object where nobody has told it anything. */
export const configurationOf = (read: Reader, node: string): KubeletConfiguration =>
  read.get(kind, { namespace: '', name: node })?.configuration ?? DEFAULTS;
const DEFAULTS: KubeletConfiguration = {};

/** The handlers that a node's container runtime has; undefined: those that nodes are set up with. */
export const handlersOf = (read: Reader, node: string): RuntimeHandlers | undefined =>
  read.get(kind, { namespace: '', name: node })?.handlers;

/** How a node plugs pods in, where that is not as its network's agent wrote it. */
export const networkOfNode = (read: Reader, node: string): NodeNetwork | undefined =>
  read.get(kind, { namespace: '', name: node })?.network;
