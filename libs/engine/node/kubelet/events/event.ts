/** An event about a pod or one of its containers, as a part of the kubelet reports it. Models pkg/kubelet/events. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  /** 'Pulled', 'BackOff'. */
  readonly reason: string;
  readonly message: string;
  /** Another component that says it; by default the node's kubelet. */
  readonly component?: string;
}

export const normalEvent = (reason: string, message: string): PodEvent => ({ type: 'Normal', reason, message });
export const warningEvent = (reason: string, message: string): PodEvent => ({ type: 'Warning', reason, message });
