import type { Node, Pod } from '../../../api/core_v1.js';
import type { LiveFiles } from '../../../kernel/files/live.js';
import type { FlowRecord } from '../../../machinery/questions/flow.js';
import type { Dial, PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/http.js';
import type { LaterAnswer } from '../../../machinery/requests/pod-http.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { NodeIssuer } from '../../host/pki/issuer.js';
import type { ObservedState } from '../../network/address-book.js';
import type { ServerHello } from '../../cni/tls.js';
import type { ContainerRecords } from '../../kubelet/pod/pod-runtime.js';
import type { Statuses } from '../records/course.js';
import type { ImageCatalog } from '../image.js';

export interface MachinesOptions {
  readonly state: ObservedState;
  readonly images: ImageCatalog;
  readonly seed: string;
  /** Sends a request to a server that is known by its summary. */
  readonly dial: Dial;
  /** Sends a request from a pod to the API server, which has waited since `since`; it may change the state. */
  api(from: Pod, request: PodHttpRequest, now: Millis, since: Millis): PodHttpAnswer | LaterAnswer;
  /** Sends a request from a pod to its node's container runtime; it may change the state. */
  runtime(from: Pod, request: PodHttpRequest, now: Millis): PodHttpAnswer;
  /** What the API server shows in a TLS handshake. */
  apiHello(): ServerHello;
  /** Issues what lies in /etc/kubernetes of nodes; undefined in a cluster without keys. */
  readonly issuer?: NodeIssuer | undefined;
  /** A kubelet's port, behind who may ask. */
  readonly kubeletPort?: (node: Node, request: PodHttpRequest, now: Millis) => PodHttpAnswer;
  /** Who talked to whom lately. */
  flows?(now: Millis): readonly FlowRecord[];
  /** What lies on a node's disk of its pods; `at`: as it is then, by default at the time of who reads. */
  readonly podFolders?: (node: string, at?: Millis) => LiveFiles;
  /** A token of the pod's service account. */
  token(pod: Pod, audience: string | undefined, seconds: number, now: Millis): string;
}

/** A pod as its kubelet knows it: a sync knows more than the stored status. */
export interface PodView {
  readonly pod: Pod;
  readonly statuses: Statuses;
  readonly records: ContainerRecords;
}
