import type { Container, ContainerStatus, Pod } from '../../../api/core_v1.js';
import { NodeRuntimes, PodRuntimes, PodSandboxes, Pods } from '../../../kinds/index.js';
import { findHost } from '../../../kinds/terrarium/noderuntime/hosts.js';
import type { PodSandbox, SandboxContainer } from '../../../kinds/terrarium/podsandbox/kind.js';
import type { Kind } from '../../../machinery/kind.js';
import { timestamp } from '../../../machinery/time/time.js';
import { Addresses } from '../../cni/addresses.js';
import { giveAddress } from '../../cni/give-address.js';
import { digestOf } from '../../digest.js';
import { networkOf } from '../../kubelet/container/process.js';
import { createContainer } from '../../kubelet/kuberuntime/create.js';
import { formatTime, makePodRuntime, storePodRuntime, type PodRuntime } from '../../kubelet/pod/pod-runtime.js';
import { parseReference } from '../images/reference.js';
import {
  type Body,
  bodyIn,
  notFound,
  type Operation,
  RuntimeFailure,
  textIn,
  type RuntimeServiceOptions,
} from '../service/call.js';
import { emptyPod, readContainerConfig, readSandboxConfig } from './config.js';
import { sandboxesOf, sandboxKey } from './sandbox-pod.js';

/** Of one node; more than somebody makes by hand. */
const MAX_SANDBOXES = 100;
const MAX_CONTAINERS = 50;
const NOT_READY = 'the container runtime does not run any more of them (a limit of the simulation)';

const unknown = (message: string): RuntimeFailure => new RuntimeFailure(`rpc error: code = Unknown desc = ${message}`);

/** Makes sandboxes and containers. Models containerd's internal/cri/server sandbox_run.go, container_create.go. */
export const SANDBOX_OPERATIONS: Readonly<Record<string, Operation>> = {
  RunPodSandbox: runPodSandbox,
  CreateContainer: createSandboxContainer,
  StartContainer: startContainer,
};

const nodeNameOf = ({ from }: RuntimeServiceOptions): string => from.spec.nodeName ?? '';

function runPodSandbox(options: RuntimeServiceOptions, body: Body): object {
  const { read, client, now } = options;
  const nodeName = nodeNameOf(options);
  const { config, spec } = readSandboxConfig(bodyIn(body, 'config'));
  const { name, namespace, uid, attempt } = config;
  for (const [field, value] of Object.entries({ name, namespace, uid }))
    if (value === '') throw unknown(`failed to generate sandbox name: sandbox config metadata ${field} is required`);
  const others = sandboxesOf(read, nodeName);
  const reserved = `${name}_${namespace}_${uid}_${attempt}`;
  const other = others.find((one) => reservedNameOf(one) === reserved);
  if (other) throw unknown(alreadyReserved('sandbox', reserved, other.metadata.name ?? ''));
  if (others.length >= MAX_SANDBOXES) throw unknown(NOT_READY);
  const seed = `sandbox-${digestOf(`${nodeName}/${read.revision}/${reserved}/${now}`).slice(0, 32)}`;
  const id = digestOf(seed);
  const pod = emptyPod(seed, sandboxKey(id), timestamp(now));
  const address = spec.hostNetwork ? undefined : addressFor(options, pod, id);
  client.create(PodSandboxes, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'PodSandbox',
    metadata: { name: id },
    nodeName,
    config,
    createdAt: formatTime(now),
    pod: {
      ...pod,
      spec: { ...pod.spec, ...spec, nodeName, hostname: spec.hostname ?? name },
      status: { ...pod.status, ...(address === undefined ? {} : { podIP: address, podIPs: [{ ip: address }] }) },
    },
    containers: [],
  });
  return { id };
}

const reservedNameOf = ({ config: { name, namespace, uid, attempt } }: PodSandbox): string =>
  `${name}_${namespace}_${uid}_${attempt}`;

const alreadyReserved = (what: string, name: string, id: string): string =>
  `failed to reserve ${what} name ${JSON.stringify(name)}: name ${JSON.stringify(name)} is reserved for ${JSON.stringify(id)}`;

/** The address that the node's network gives: one that neither a pod nor a sandbox has. */
function addressFor(options: RuntimeServiceOptions, pod: Pod, id: string): string | undefined {
  const { read } = options;
  const name = nodeNameOf(options);
  const node = findHost(read, name);
  if (!node) return undefined;
  const network = read.get(NodeRuntimes, { namespace: '', name })?.network;
  const setup = `failed to setup network for sandbox ${JSON.stringify(id)}: `;
  if (network?.error !== undefined) throw unknown(`${setup}cni plugin not initialized`);
  const addresses = new Addresses();
  for (const one of read.byIndex(Pods, 'nodeName', name)) addresses.onPod(undefined, one);
  for (const one of sandboxesOf(read, name)) addresses.onPod(undefined, one.pod);
  const given = network?.failure === undefined ? giveAddress({ read, addresses, node, pod, network }) : network;
  if ('ip' in given) return given.ip;
  const why =
    'usedUp' in given
      ? `plugin type="ptp" failed (add): failed to allocate for range 0: no IP addresses available in range set: ${given.usedUp}`
      : (given.failure ?? '');
  throw unknown(setup + why);
}

function findSandbox(options: RuntimeServiceOptions, id: string): PodSandbox | undefined {
  const found =
    id === '' ? [] : sandboxesOf(options.read, nodeNameOf(options)).filter((one) => one.metadata.name === id);
  return found[0];
}

function createSandboxContainer(options: RuntimeServiceOptions, body: Body): object {
  const { read, client, images, now } = options;
  const sandboxId = textIn(body, 'podSandboxId');
  const sandbox = findSandbox(options, sandboxId);
  if (!sandbox)
    throw new RuntimeFailure(
      `rpc error: code = NotFound desc = failed to find sandbox id ${JSON.stringify(sandboxId)}: not found`,
    );
  if (sandbox.stoppedAt !== undefined)
    throw unknown('failed to get sandbox container task: no running task found: not found');
  const key = `c${sandbox.containers.length}`;
  const request = readContainerConfig(bodyIn(body, 'config'), key);
  if (request.name === '') throw unknown('container config must include metadata');
  const { config, containers } = sandbox;
  const reserved = `${request.name}_${reservedNameOf(sandbox).replace(/_\d+$/, '')}_${request.attempt}`;
  const other = containers.find((one) => one.name === request.name && one.attempt === request.attempt);
  if (other) throw unknown(alreadyReserved('container', reserved, other.id));
  if (containers.length >= MAX_CONTAINERS) throw unknown(NOT_READY);
  const reference = parseReference(request.image);
  const image = reference && images.resolve(reference);
  const node = findHost(read, sandbox.nodeName);
  const isThere = node?.status.images?.some(({ names }) => names?.includes(reference?.full ?? ''));
  if (!reference || !image || 'error' in image || !isThere)
    throw new RuntimeFailure(
      `rpc error: code = NotFound desc = failed to resolve image ${JSON.stringify(request.image)}: not found`,
    );
  const id = digestOf(`${sandboxId}/${reserved}/${now}`);
  const container: Container = { ...request.container, name: key, image: request.image };
  const status: ContainerStatus = {
    ...{ name: key, image: request.image, imageID: '', ready: false, started: false, restartCount: 0 },
    state: { waiting: { reason: 'ContainerCreated' } },
  };
  const made: SandboxContainer = {
    ...{ id, key, name: request.name, attempt: request.attempt, createdAt: timestamp(now) },
    ...{ labels: request.labels, annotations: request.annotations },
    logPath: config.logDirectory === '' ? '' : request.logPath,
  };
  const { spec, status: podStatus } = sandbox.pod;
  client.update(PodSandboxes, {
    ...sandbox,
    containers: [...containers, made],
    pod: {
      ...sandbox.pod,
      spec: {
        ...spec,
        containers: [...spec.containers, container],
        volumes: [...(spec.volumes ?? []), ...request.volumes],
      },
      status: { ...podStatus, containerStatuses: [...(podStatus.containerStatuses ?? []), status] },
    },
  });
  return { id };
}

function startContainer(options: RuntimeServiceOptions, body: Body): object {
  const { read, client, images, machines, now } = options;
  const id = textIn(body, 'id');
  const sandbox = sandboxesOf(read, nodeNameOf(options)).find((one) => one.containers.some((c) => c.id === id));
  const key = sandbox?.containers.find((one) => one.id === id)?.key ?? '';
  const container = sandbox?.pod.spec.containers.find(({ name }) => name === key);
  const status = sandbox?.pod.status.containerStatuses?.find(({ name }) => name === key);
  if (!sandbox || !container || !status) throw notFound('container', id);
  const { state } = status;
  if (!state?.waiting)
    throw unknown(
      `failed to set starting state for container ${JSON.stringify(id)}: container is in ${state?.running ? 'CONTAINER_RUNNING' : 'CONTAINER_EXITED'} state`,
    );
  if (sandbox.stoppedAt !== undefined)
    throw unknown(`sandbox container ${JSON.stringify(sandbox.metadata.name ?? '')} is not running`);
  const { pod } = sandbox;
  const source = { pod, read };
  const decision = createContainer({
    ...{ container, source, images, now, status, record: {}, newID: () => id },
    findStartFailure: () =>
      machines.findStartFailure(
        machines.viewOf(pod),
        { container, image: container.image ?? '', containerID: id, startedAt: now },
        source,
        networkOf(read, pod.metadata.namespace ?? ''),
      ),
  });
  const runtime = read.get(PodRuntimes as unknown as Kind<PodRuntime>, sandboxKey(sandbox.metadata.name ?? ''));
  const records = { ...runtime?.containers, ...(decision.record ? { [key]: decision.record } : {}) };
  storePodRuntime(client, runtime, makePodRuntime(pod, runtime, { containers: records }));
  client.update(PodSandboxes, withStatus(sandbox, decision.status ?? status));
  const failure = decision.status?.state?.terminated?.message;
  if (failure !== undefined) throw unknown(failure);
  return {};
}

/** The sandbox with another status of one of its containers. */
export const withStatus = (sandbox: PodSandbox, status: ContainerStatus): PodSandbox => ({
  ...sandbox,
  pod: {
    ...sandbox.pod,
    status: {
      ...sandbox.pod.status,
      containerStatuses: (sandbox.pod.status.containerStatuses ?? []).map((one) =>
        one.name === status.name ? status : one,
      ),
    },
  },
});
