import type { Container, ContainerStateTerminated, Pod, PodSpec, Service } from '../../engine/api/core_v1.js';
import {
  Deployments,
  Faults,
  Leases,
  Nodes,
  PersistentVolumeClaims,
  Pods,
  RoleBindings,
  Services,
  ValidatingWebhookConfigurations,
} from '../../engine/kinds/index.js';
import type { Fault, FaultSpec } from '../../engine/kinds/terrarium/fault/kind.js';
import type { Trace } from '../../engine/kinds/terrarium/trace/kind.js';
import type { ApiRequest, AskingRequest } from '../../engine/machinery/requests/http.js';
import type { Millis } from '../../engine/machinery/time/time.js';
import { ClusterBed } from './cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const FROM_START = { stdoutFrom: 0, stderrFrom: 0 };
/** A command that takes longer is not waited for. */
const MAX_LOOKS = 500;

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A cluster in which things go wrong, and what one sees of that. */
export class FaultBed extends ClusterBed {
  // ---- what goes wrong ----

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

  // ---- what it acts on ----

  pod(name: string, container: Partial<Container>, spec: Partial<PodSpec> = {}): Pod {
    const containers = [{ name: 'c', ...container } as Container];
    const grace = { terminationGracePeriodSeconds: 1 };
    return this.create(Pods, name, { spec: { containers, ...grace, ...spec } }, { labels: { app: name } });
  }

  deployment(name: string): void {
    const labels = { app: name };
    this.create(Deployments, name, {
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
      },
    });
  }

  service(name: string, type = 'ClusterIP'): Service {
    return this.create(Services, name, { spec: { type, selector: { app: name }, ports: [{ port: 80 }] } });
  }

  claim(name: string): void {
    this.create(PersistentVolumeClaims, name, {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
  }

  /** The volume of a claim of this name. */
  mounting(claim: string): Partial<PodSpec> {
    return { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }] };
  }

  webhook(name: string, failurePolicy: 'Fail' | 'Ignore'): void {
    this.create(ValidatingWebhookConfigurations, name, {
      webhooks: [
        {
          name: `${name}.example.com`,
          failurePolicy,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { service: { namespace: 'default', name, path: '/' } },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
      ],
    });
  }

  // ---- what one sees ----

  ready(node: string): string | undefined {
    return this.get(Nodes, node).status.conditions?.find(({ type }) => type === 'Ready')?.status;
  }

  /** 'True KubeletReady': the status and the reason of a node's condition. */
  condition(node: string, type: string): string {
    const found = this.get(Nodes, node).status.conditions?.find((one) => one.type === type);
    return `${found?.status} ${found?.reason}`;
  }

  taints(node: string): string[] {
    return (this.get(Nodes, node).spec.taints ?? []).map(({ key }) => key);
  }

  /** When a node's lease was renewed, as a read shows it. */
  lease(node: string): string {
    const lease = this.client.get(Leases, { namespace: 'kube-node-lease', name: node })!;
    return Leases.asOf!(lease, this.cluster.state.now, this.cluster.state).spec.renewTime ?? '';
  }

  /** 'Running 0', 'CrashLoopBackOff 3': the state of a pod's first container, and its restarts. */
  state(pod: string): string {
    return stateOf(this.get(Pods, pod));
  }

  systemState(pod: string): string {
    return stateOf(this.client.get(Pods, { namespace: 'kube-system', name: pod })!);
  }

  has(pod: string): boolean {
    return this.client.get(Pods, { namespace: 'default', name: pod }) !== undefined;
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

  pods(app: string): Pod[] {
    return this.client.list(Pods, 'default').filter(({ metadata }) => metadata.labels?.['app'] === app);
  }

  claimPhase(name: string): string | undefined {
    return this.get(PersistentVolumeClaims, name).status.phase;
  }

  externalIP(service: string): string | undefined {
    return this.get(Services, service).status.loadBalancer?.ingress?.[0]?.ip;
  }

  /** The verdict on the first packet from a pod to another. */
  trace(from: string, to: string, port: number): string | undefined {
    return this.verdict({ from: `pod/default/${from}`, to: `pod/default/${to}`, port });
  }

  traceService(from: string, to: string): string | undefined {
    return this.verdict({ from: `pod/default/${from}`, to: `service/default/${to}`, port: 80 });
  }

  private verdict(spec: { from: string; to: string; port: number }): string | undefined {
    const trace = { apiVersion: 'terrarium.dev/v1alpha1', kind: 'Trace', spec };
    const { body } = this.request('/apis/terrarium.dev/v1alpha1/traces', 'POST', trace);
    return (JSON.parse(body) as Trace).status?.verdict;
  }

  nodeOf(pod: string): string {
    return this.get(Pods, pod).spec.nodeName ?? '';
  }

  /** The lines that a pod's container has printed. */
  log(pod: string, query = ''): string[] {
    const { body } = this.request(`/api/v1/namespaces/default/pods/${pod}/log`, 'GET', undefined, query);
    return body.trimEnd().split('\n');
  }

  // ---- what one does ----

  request(path: string, method = 'GET', body?: object, query = ''): Answer {
    const answer = this.cluster.handle(this.requestOf(path, method, body, query), this.cluster.state.now);
    return answer.type === 'body' ? { status: answer.status, body: String(answer.body) } : { status: 200, body: '' };
  }

  /** As a user who has nothing but what RBAC says. */
  requestAs(name: string, path: string, method = 'GET'): Answer {
    const user = { name, groups: ['system:authenticated'] };
    const answer = this.cluster.handle({ ...this.requestOf(path, method, {}, ''), user }, this.cluster.state.now);
    return answer.type === 'body' ? { status: answer.status, body: String(answer.body) } : { status: 200, body: '' };
  }

  /** Gives a user a ClusterRole in the namespace 'default'. */
  bind(user: string, role: string): void {
    this.create(RoleBindings, `${user}-${role}`, {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
  }

  /** Whether a request has to wait. */
  waits(path: string, method = 'GET', body?: object): boolean {
    const outside = { stream: 0, answers: new Map(), waitedMs: 0 };
    const asking: AskingRequest = { ...this.requestOf(path, method, body, ''), outside };
    const answer = this.cluster.handle(asking, this.cluster.state.now);
    return answer.type === 'outside' && answer.waits === true;
  }

  private requestOf(path: string, method: string, body: object | undefined, query: string): ApiRequest {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const bytes = body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
    return { method, path, query, headers, user: ADMIN, ...bytes };
  }

  /** All that a command prints in a pod; 'WEB' stands for the address of another pod. */
  exec(pod: string, command: string, peer?: string): string {
    return this.run(pod, command, peer).printed;
  }

  /** Whole seconds that a command takes. */
  seconds(pod: string, command: string, peer?: string): number {
    return Math.floor(this.run(pod, command, peer).tookMs / 1_000);
  }

  /** Why no command can be run in a pod. */
  refusal(pod: string, command: string): string | undefined {
    const response = this.openExec(pod, command);
    return response.type === 'session' ? response.opened.failure?.message : undefined;
  }

  /** All that a command prints on a node. */
  onNode(node: string, command: string): string {
    return this.finish(this.open(`nodes/${node}/shell`, command)).printed;
  }

  private openExec(pod: string, command: string): ReturnType<FaultBed['cluster']['handle']> {
    return this.open(`namespaces/default/pods/${pod}/exec`, command);
  }

  private open(path: string, command: string): ReturnType<FaultBed['cluster']['handle']> {
    const words = ['sh', '-c', command];
    const query = `${words.map((word) => `command=${encodeURIComponent(word)}`).join('&')}&stdout=true&stderr=true`;
    const request = this.requestOf(`/api/v1/${path}`, 'POST', undefined, query);
    const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v5.channel.k8s.io' };
    return this.cluster.handle({ ...request, headers: { ...request.headers, ...upgrade } }, this.cluster.state.now);
  }

  private run(pod: string, command: string, peer = ''): { readonly printed: string; readonly tookMs: Millis } {
    const address = peer === '' ? '' : (this.get(Pods, peer).status.podIP ?? '');
    return this.finish(this.openExec(pod, command.replace('WEB', address)), command);
  }

  /** Waits for the end of a session. */
  private finish(
    response: ReturnType<FaultBed['cluster']['handle']>,
    command = 'the command',
  ): { readonly printed: string; readonly tookMs: Millis } {
    const { cluster } = this;
    const begun = cluster.state.now;
    if (response.type !== 'session' || response.opened.failure)
      throw new Error(`no session: ${JSON.stringify(response)}`);
    const { session } = response.opened;
    for (let look = 0, now = begun; look < MAX_LOOKS; look++) {
      const output = cluster.readSession(session, FROM_START, now);
      if (output.exit) return { printed: output.stdout + output.stderr, tookMs: now - begun };
      now = Math.max(now + 1, output.wakeAt ?? now + 100);
      this.at((now - this.start) / 1_000);
    }
    throw new Error(`${command} does not end`);
  }
}

function stateOf({ status }: Pod): string {
  const found = status.containerStatuses?.[0];
  const { waiting, running, terminated } = found?.state ?? {};
  const state = waiting?.reason ?? terminated?.reason ?? (running ? 'Running' : 'none');
  return `${state} ${found?.restartCount ?? 0}`;
}
