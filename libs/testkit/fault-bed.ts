import type { Container, ContainerStateTerminated, Pod, PodSpec } from '../engine/api/core_v1.js';
import { Faults, Nodes, Pods } from '../engine/kinds/index.js';
import type { Fault, FaultSpec } from '../engine/kinds/terrarium/fault/kind.js';
import type { ApiRequest, ApiResponse } from '../engine/machinery/http.js';
import { ClusterBed } from './cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** A cluster in which things go wrong, and what one sees of that. */
export class FaultBed extends ClusterBed {
  fault(type: string, spec: Omit<FaultSpec, 'type'> = {}, name = 'f'): Fault {
    return this.create(Faults, name, { spec: { type, ...spec } });
  }

  phase(name = 'f'): string | undefined {
    return this.get(Faults, name).status.phase;
  }

  /** Ends a fault before its time. */
  end(name = 'f'): this {
    const fault = this.get(Faults, name);
    this.client.update(Faults, { ...fault, spec: { ...fault.spec, ended: true } });
    return this;
  }

  pod(name: string, container: Partial<Container>, spec: Partial<PodSpec> = {}, labels = { app: name }): Pod {
    const containers = [{ name: 'c', ...container } as Container];
    return this.create(Pods, name, { spec: { containers, ...spec } }, { labels });
  }

  ready(node: string): string | undefined {
    return this.get(Nodes, node).status.conditions?.find(({ type }) => type === 'Ready')?.status;
  }

  condition(node: string, type: string): string {
    const found = this.get(Nodes, node).status.conditions?.find((one) => one.type === type);
    return `${found?.status} ${found?.reason}`;
  }

  taints(node: string): string[] {
    return (this.get(Nodes, node).spec.taints ?? []).map(({ key }) => key);
  }

  /** 'Running 0', 'CrashLoopBackOff 3': the state of a pod's first container, and its restarts. */
  state(pod: string): string {
    const status = this.get(Pods, pod).status.containerStatuses?.[0];
    const { waiting, running, terminated } = status?.state ?? {};
    const state = waiting?.reason ?? terminated?.reason ?? (running ? 'Running' : 'none');
    return `${state} ${status?.restartCount ?? 0}`;
  }

  isReady(pod: string): boolean {
    return this.get(Pods, pod).status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;
  }

  /** How the run before the present one has ended. */
  last(pod: string): Pick<ContainerStateTerminated, 'reason' | 'exitCode'> | undefined {
    const status = this.get(Pods, pod).status.containerStatuses?.[0];
    const { reason, exitCode } = status?.lastState?.terminated ?? status?.state?.terminated ?? {};
    return reason === undefined || exitCode === undefined ? undefined : { reason, exitCode };
  }

  request(path: string, method = 'GET', body?: object, user = ADMIN): { status: number; body: string } {
    const request: ApiRequest = {
      method: method as ApiRequest['method'],
      path,
      query: '',
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body)),
      user,
    } as unknown as ApiRequest;
    const answer: ApiResponse = this.cluster.handle(request, this.cluster.state.now);
    return answer.type === 'body' ? { status: answer.status, body: String(answer.body) } : { status: 200, body: '' };
  }
}
