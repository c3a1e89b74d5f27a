import type { Container, Pod, ServiceAccount, Volume } from '../../api/core_v1.js';
import { kind as ServiceAccounts } from '../../kinds/core/serviceaccount/kind.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuse } from '../refuse.js';
import { isMirrorPod } from '../../kinds/core/pod/mirror.js';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME_PREFIX = 'kube-api-access-';
const TOKEN_SECONDS = 3607;
const FILE_MODE = 0o644;
const DEFAULT_NAME = 'default';
/** Upstream looks ten times for a namespace's default account, 100 to 200 ms apart. */
const CREATION_TIMEOUT_MS = 1_800;

/** The token volume is equal in all pods, which therefore share one object. */
const PROJECTED: NonNullable<Volume['projected']> = {
  defaultMode: FILE_MODE,
  sources: [
    { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
    { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
    {
      downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }] },
    },
  ],
};

/** Gives a pod its service account, pull secrets and API token volume. Models plugin/pkg/admission/serviceaccount. */
export const plugin: AdmissionPlugin = {
  name: 'ServiceAccount',
  resources: ['pods'],
  mutate(request) {
    if (request.operation !== 'CREATE' || request.subresource) return;
    const pod = request.object as Pod;
    if (isMirrorPod(pod)) return checkMirrorPod(request, pod);
    const name = pod.spec.serviceAccountName || DEFAULT_NAME;
    const account = getServiceAccount(request, name);
    const mounts = pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
    pod.spec = mounts
      ? { ...pod.spec, serviceAccountName: name, serviceAccount: name, ...mountToken(request, pod.spec) }
      : { ...pod.spec, serviceAccountName: name, serviceAccount: name };
    if (!pod.spec.imagePullSecrets?.length && account.imagePullSecrets?.length)
      pod.spec.imagePullSecrets = account.imagePullSecrets;
  },
};

/** Waits for the default account, which the serviceaccount controller is about to create in a new namespace. */
function getServiceAccount(request: AdmissionRequest, name: string): ServiceAccount {
  const { client, namespace } = request;
  const account = client.get(ServiceAccounts, { namespace, name }) as ServiceAccount | undefined;
  if (account) return account;
  if (name === DEFAULT_NAME && request.fromOutside) request.waitForComponent?.(CREATION_TIMEOUT_MS);
  throw refuse(request, `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`);
}

function checkMirrorPod(request: AdmissionRequest, pod: Pod): void {
  if (pod.spec.serviceAccountName) throw refuse(request, 'a mirror pod may not reference service accounts');
}

const mountsToken = (c: Container): boolean =>
  c.volumeMounts !== undefined && c.volumeMounts.some((m) => m.mountPath === MOUNT_PATH);

/** Mounts the token in every container without a mount at its path, and adds the volume unless the pod has one. */
function mountToken(
  request: AdmissionRequest,
  { containers, initContainers, volumes }: Pod['spec'],
): Partial<Pod['spec']> {
  const own = volumes?.find((v) => v.name?.startsWith(VOLUME_PREFIX));
  if (containers?.every(mountsToken) && (initContainers ?? []).every(mountsToken)) return {};
  const name = own?.name ?? VOLUME_PREFIX + request.random.suffix(5);
  const mount = { mountPath: MOUNT_PATH, name, readOnly: true };
  const withMount = (c: Container): Container =>
    mountsToken(c) ? c : { ...c, volumeMounts: c.volumeMounts ? [...c.volumeMounts, mount] : [mount] };
  return {
    containers: containers?.map(withMount),
    ...(initContainers ? { initContainers: initContainers.map(withMount) } : {}),
    ...(own
      ? {}
      : { volumes: volumes ? [...volumes, { name, projected: PROJECTED }] : [{ name, projected: PROJECTED }] }),
  };
}
