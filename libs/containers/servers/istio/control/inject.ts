import type { Reader, Start } from '@terrarium/engine';
import type { Container, Pod } from '../../../../engine/api/core_v1.js';
import { ReplicaSets } from '../../../../engine/kinds/index.js';
import { ALLOWED, type Asked, type Decision } from '../../../programs/review.js';
import { injectorConfig, type InjectorConfig } from './injector-config.js';
import { initContainer, proxyContainer, volumeNames, volumesOf } from './pod-parts.js';

const IGNORED = new Set(['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage']);
const INJECT = 'sidecar.istio.io/inject';
/** Releases from which the proxy is a container that Kubernetes itself calls a sidecar. */
const FIRST_NATIVE = 27;

/** Who injects: istiod's own revision, release and place. */
export interface Injector {
  readonly revision: string;
  readonly namespace: string;
  readonly image: string;
  readonly isNative: boolean;
}

export function injectorOf({ env, container, pod }: Start): Injector {
  const image = container.image ?? '';
  const minor = Number(/:1\.(\d{1,3})/.exec(image)?.[1] ?? FIRST_NATIVE);
  const said = env['ENABLE_NATIVE_SIDECARS'];
  return {
    revision: env['REVISION'] || 'default',
    namespace: pod.namespace,
    image,
    isNative: said === undefined ? minor >= FIRST_NATIVE : said !== 'false',
  };
}

/** Gives a pod its proxy. Models pkg/kube/inject/webhook.go. */
export function injectPod(
  { object, namespace = '', resource, operation }: Asked,
  start: Start,
  read: Reader,
): Decision {
  const pod = object as unknown as Pod | null;
  if (!pod || resource.resource !== 'pods' || operation !== 'CREATE' || !isWanted(pod, namespace)) return ALLOWED;
  const injector = injectorOf(start);
  const config = injectorConfig(read, injector.namespace, injector.revision, injector);
  if (!config) return ALLOWED;
  return { allowed: true, patch: patchFor(pod, namespace, injector, config, read) };
}

/** Models injectRequired: hosts' networks and system namespaces never, then the label, then the annotation. */
export function isWanted({ metadata, spec }: Pod, namespace: string): boolean {
  if (spec.hostNetwork || IGNORED.has(namespace)) return false;
  if (metadata.annotations?.['sidecar.istio.io/status'] !== undefined) return false;
  const said = metadata.labels?.[INJECT] ?? metadata.annotations?.[INJECT];
  return said === undefined || !['false', 'n', 'no', 'off', '0'].includes(said.toLowerCase());
}

function patchFor(
  pod: Pod,
  namespace: string,
  injector: Injector,
  config: InjectorConfig,
  read: Reader,
): readonly object[] {
  const isGateway = pod.metadata.annotations?.['inject.istio.io/templates'] === 'gateway';
  const said = pod.metadata.annotations?.['sidecar.istio.io/nativeSidecar'];
  const isNative = !isGateway && (said === undefined ? injector.isNative : said === 'true');
  const named = {
    ...ownerOf(pod, namespace, read),
    caAddress: `istiod${injector.revision === 'default' ? '' : `-${injector.revision}`}.${injector.namespace}.svc:15012`,
    type: isGateway ? 'router' : 'sidecar',
    isNative,
  } as const;
  const proxy = proxyContainer(pod, config, named);
  const { containers, initContainers = [], volumes = [] } = pod.spec;
  const own = containers.find(({ name }) => name === 'istio-proxy');
  const merged = own ? merge(proxy, own, isGateway) : proxy;
  const others = containers.filter((one) => one !== own);
  const init = isGateway ? [] : [initContainer(pod, config), ...(isNative ? [merged] : [])];
  const beside = isNative ? others : isGateway ? [merged, ...others] : [...others, merged];
  return [
    { op: 'add', path: '/spec/containers', value: beside },
    ...(init.length > 0 ? [{ op: 'add', path: '/spec/initContainers', value: [...init, ...initContainers] }] : []),
    { op: 'add', path: '/spec/volumes', value: [...volumesOf(), ...volumes] },
    { op: 'add', path: '/metadata/annotations', value: annotationsFor(pod, injector, isGateway, isNative) },
    { op: 'add', path: '/metadata/labels', value: labelsFor(pod, named.workload, isGateway) },
  ];
}

/** A container called istio-proxy says what is to be different: `image: auto` is what is injected. */
function merge(proxy: Container, own: Container, isGateway: boolean): Container {
  const { image, securityContext, ...rest } = own;
  const { startupProbe: _startup, ...base } = proxy;
  return {
    ...(isGateway ? base : proxy),
    ...rest,
    ...(image === 'auto' || image === undefined ? {} : { image }),
    env: [...(proxy.env ?? []), ...(own.env ?? [])],
    ports: [...(own.ports ?? []), ...(proxy.ports ?? [])],
    volumeMounts: [...(proxy.volumeMounts ?? []), ...(own.volumeMounts ?? [])],
    securityContext: securityContext ?? proxy.securityContext,
  };
}

function annotationsFor(
  { metadata, spec }: Pod,
  { revision }: Injector,
  isGateway: boolean,
  isNative: boolean,
): Record<string, string> {
  const [first] = spec.containers.filter(({ name }) => name !== 'istio-proxy');
  const status = {
    initContainers: isGateway ? null : ['istio-init', ...(isNative ? ['istio-proxy'] : [])],
    containers: isNative ? null : ['istio-proxy'],
    volumes: volumeNames(),
    imagePullSecrets: null,
    revision,
  };
  return {
    'istio.io/rev': revision,
    ...(isGateway || !first
      ? {}
      : {
          'kubectl.kubernetes.io/default-container': first.name,
          'kubectl.kubernetes.io/default-logs-container': first.name,
        }),
    ...{ 'prometheus.io/path': '/stats/prometheus', 'prometheus.io/port': '15020', 'prometheus.io/scrape': 'true' },
    ...metadata.annotations,
    'sidecar.istio.io/status': JSON.stringify(status),
  };
}

function labelsFor({ metadata }: Pod, workload: string, isGateway: boolean): Record<string, string> {
  const { labels = {} } = metadata;
  const canonical = labels['app.kubernetes.io/name'] ?? labels['app'] ?? workload;
  return {
    ...(isGateway ? {} : { 'security.istio.io/tlsMode': 'istio' }),
    'service.istio.io/canonical-name': canonical,
    'service.istio.io/canonical-revision': labels['app.kubernetes.io/version'] ?? labels['version'] ?? 'latest',
    ...labels,
  };
}

/** A ReplicaSet of a Deployment stands for the Deployment. */
function ownerOf(
  { metadata }: Pod,
  namespace: string,
  read: Reader,
): { readonly owner: string; readonly workload: string } {
  const controller = metadata.ownerReferences?.find((one) => one.controller);
  const set =
    controller?.kind === 'ReplicaSet' ? read.get(ReplicaSets, { namespace, name: controller.name }) : undefined;
  const owner = set?.metadata.ownerReferences?.find((one) => one.controller) ?? controller;
  const name = owner?.name ?? metadata.name ?? metadata.generateName?.replace(/-$/, '') ?? '';
  const path = owner ? `apis/${owner.apiVersion}` : 'apis/v1';
  return {
    workload: name,
    owner: `kubernetes://${path}/namespaces/${namespace}/${(owner?.kind ?? 'Pod').toLowerCase()}s/${name}`,
  };
}
