import {
  keyOfBootstrapToken,
  makeBootstrapSecret,
  parseBootstrapToken,
} from '../../kinds/core/secret/bootstrap-token.js';
import { textOf } from '../../kernel/bytes.js';
import { Secrets } from '../../kinds/index.js';
import { ApiError } from '../../machinery/meta/status.js';
import { parseVersion } from '../../machinery/releases.js';
import type { Client } from '../../machinery/client.js';
import type { Etcd } from '../../runtime/controller.js';
import { removeKeys } from './etcd/restore.js';
import type { Disk } from './files/disk.js';
import { readJson } from './json.js';
import { ADDONS, applyAddons, type AddonRequest } from './packages/apply-addons.js';
import type { ClusterBootstrap } from './packages/cluster-bootstrap.js';
import { initCluster, isInit, type InitRequest } from './packages/init-cluster.js';
import { joinControlPlane, uploadCertificates, type Upload } from './packages/join-control-plane.js';
import { upgradeCluster } from './packages/upgrade-cluster.js';
import { MAX_KEYS } from './views/registry-view.js';

/** kubeadm asks the API server with the administrator's kubeconfig: each request is a file here. */
export const REQUESTS = '/run/kubeadm/requests';
export const ADMIN_KUBECONFIG = '/etc/kubernetes/admin.conf';
/** Requests that are taken in one look. */
const MAX_REQUESTS = 20;
/** The group of nodes that join by a token. */
const JOINING = 'system:bootstrappers:kubeadm:default-node-token';

/** etcdctl deletes keys of the API server's. */
export interface RemovalRequest {
  readonly verb: 'remove';
  readonly keys: readonly string[];
}

export interface TokenRequest {
  readonly verb: 'create' | 'delete';
  readonly token: string;
  readonly expiration?: string;
  readonly description?: string;
}

/** kubeadm has written the control plane's manifests of another release: 'v1.36.4'. */
export interface UpgradeRequest {
  readonly verb: 'upgrade';
  readonly release: string;
}

/** A node joins the control plane, by a bootstrap token. */
export interface ControlPlaneRequest {
  readonly verb: 'control-plane';
  readonly token: string;
}

export interface UploadRequest extends Upload {
  readonly verb: 'upload-certs';
}

export type HostRequest =
  | TokenRequest
  | RemovalRequest
  | UpgradeRequest
  | ControlPlaneRequest
  | UploadRequest
  | AddonRequest
  | InitRequest;

interface Taking {
  readonly disk: Disk;
  readonly node: string;
  readonly done: readonly string[];
  readonly client: Client;
  readonly etcd: Etcd;
  readonly bootstrap: ClusterBootstrap;
  readonly isDualStack: boolean;
}

/** Names of requests end with how many were there before. */
export const byOrder = (a: string, b: string): number => numberOf(a) - numberOf(b);
const numberOf = (name: string): number => Number(name.slice(name.lastIndexOf('-') + 1)) || 0;

/** Does what files ask for that were not taken before; returns the names of all files that are there. */
export function takeRequests({ disk, node, done, client, etcd, bootstrap, isDualStack }: Taking): string[] {
  const isAdmin = disk.has(ADMIN_KUBECONFIG);
  const names = disk.list(REQUESTS);
  const open = names.filter((one) => !done.includes(one)).sort(byOrder);
  for (const name of open.slice(0, MAX_REQUESTS)) {
    const request = readRequest(textOf(disk.read(`${REQUESTS}/${name}`) ?? ''));
    if (request?.verb === 'control-plane') joinControlPlane(client, node, request.token);
    else if (!isAdmin) continue;
    else if (request?.verb === 'upload-certs') uploadCertificates(client, request);
    else if (request?.verb === 'remove') removeKeys(new Set(request.keys), client, etcd);
    else if (request?.verb === 'addon') applyAddons(client, request, isDualStack, bootstrap.addonObjects);
    else if (request?.verb === 'init')
      initCluster({ client, disk, node, bootstrap, isDualStack, groups: JOINING }, request);
    else if (request?.verb === 'upgrade') upgradeCluster(client, request.release);
    else if (request) perform(request, client);
  }
  return [...names];
}

function readRequest(text: string): HostRequest | undefined {
  const found = readJson(text) as Partial<HostRequest> | null | undefined;
  switch (found?.verb) {
    case 'remove':
      return Array.isArray(found.keys) ? { verb: 'remove', keys: found.keys.slice(0, MAX_KEYS) } : undefined;
    case 'upgrade':
      return parseVersion(found.release ?? '') ? { verb: 'upgrade', release: found.release! } : undefined;
    case 'addon':
      return isAddon(found) ? found : undefined;
    case 'init':
      return isInit(found) ? found : undefined;
    case 'control-plane':
      return hasToken(found) ? { verb: 'control-plane', token: found.token! } : undefined;
    case 'upload-certs':
      return isUpload(found) ? found : undefined;
    case 'create':
    case 'delete':
      return hasToken(found) ? (found as TokenRequest) : undefined;
    default:
      return undefined;
  }
}

const hasToken = ({ token }: { readonly token?: unknown }): boolean =>
  typeof token === 'string' && parseBootstrapToken(token) !== undefined;

const isAddon = (found: Partial<HostRequest>): found is AddonRequest =>
  found.verb === 'addon' &&
  Array.isArray(found.addons) &&
  found.addons.every((name) => ADDONS.includes(name)) &&
  parseVersion(String(found.release)) !== undefined;

const MAX_SEALS = 20;

const isUpload = (found: Partial<HostRequest>): found is UploadRequest =>
  found.verb === 'upload-certs' &&
  hasToken(found) &&
  !Number.isNaN(Date.parse(found.expiration ?? '')) &&
  isSealed(found.seals);

const isSealed = (seals: unknown): seals is UploadRequest['seals'] =>
  typeof seals === 'object' &&
  seals !== null &&
  Object.entries(seals).length <= MAX_SEALS &&
  Object.entries(seals).every(([name, seal]) => /^[\w.-]{1,40}$/.test(name) && /^[0-9a-f]{64}$/.test(String(seal)));

function perform({ verb, token, expiration = '', description = '' }: TokenRequest, client: Client): void {
  const [id = '', secret = ''] = token.split('.');
  const key = keyOfBootstrapToken(id);
  const stored = client.get(Secrets, key);
  if (verb === 'delete') {
    if (stored) client.delete(Secrets, key);
    return;
  }
  if (stored) return;
  const usages = ['authentication', 'signing'];
  try {
    client.create(Secrets, makeBootstrapSecret({ id, secret, expiration, usages, description, groups: JOINING }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
