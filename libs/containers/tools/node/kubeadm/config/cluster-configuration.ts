import { stringify } from 'yaml';
import type { ExtraFlags } from './init-configuration.js';

/** What a new cluster is asked to be. */
export interface ClusterSettings {
  readonly name: string;
  /** 'v1.36.4'. */
  readonly version: string;
  /** The address that control planes share; '': they share none. */
  readonly endpoint: string;
  readonly dnsDomain: string;
  readonly serviceSubnet: string;
  readonly podSubnet: string | undefined;
  readonly imageRepository: string;
  readonly certSANs: readonly string[];
  /** By component: 'apiServer'. */
  readonly extra: Readonly<Record<string, ExtraFlags>>;
}

/** The ClusterConfiguration of the kubeadm-config ConfigMap. Models app/phases/uploadconfig. */
export function formatClusterConfiguration(settings: ClusterSettings): string {
  const { name, version, endpoint, dnsDomain, serviceSubnet, podSubnet, imageRepository, certSANs, extra } = settings;
  const componentOf = (field: string): object => {
    const flags = extra[field] ?? [];
    return flags.length === 0 ? {} : { extraArgs: flags.map(([flag, value]) => ({ name: flag, value })) };
  };
  const configuration = {
    apiServer: { ...(certSANs.length === 0 ? {} : { certSANs }), ...componentOf('apiServer') },
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    caCertificateValidityPeriod: '87600h0m0s',
    certificateValidityPeriod: '8760h0m0s',
    certificatesDir: '/etc/kubernetes/pki',
    clusterName: name,
    ...(endpoint === '' ? {} : { controlPlaneEndpoint: endpoint }),
    controllerManager: componentOf('controllerManager'),
    dns: {},
    encryptionAlgorithm: 'RSA-2048',
    etcd: { local: { dataDir: '/var/lib/etcd', ...componentOf('etcd') } },
    imageRepository,
    kind: 'ClusterConfiguration',
    kubernetesVersion: version,
    networking: { dnsDomain, ...(podSubnet === undefined ? {} : { podSubnet }), serviceSubnet },
    proxy: {},
    scheduler: componentOf('scheduler'),
  };
  return stringify(configuration, { indentSeq: false, lineWidth: 0 });
}
