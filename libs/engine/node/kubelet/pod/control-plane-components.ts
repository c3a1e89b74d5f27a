const ETCD_VERSION = '3.6.8-0';

/** One static pod of the control plane. */
export interface Component {
  readonly name: string;
  /** Of a release such as 'v1.36.3'. */
  image(version: string): string;
  readonly cpu: string;
  readonly memory?: string;
  readonly port: number;
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly host: string;
  readonly paths: { readonly live: string; readonly ready?: string; readonly startup: string };
  readonly volumes: Readonly<Record<string, [path: string, type: string]>>;
  command(ip: string, node: string): string[];
  readonly annotations?: (ip: string) => Record<string, string>;
}

const CERTS: [string, string] = ['/etc/kubernetes/pki', 'DirectoryOrCreate'];
const SYSTEM_CERTS: [string, string] = ['/etc/ssl/certs', 'DirectoryOrCreate'];

/** As kubeadm writes them to /etc/kubernetes/manifests. Models cmd/kubeadm/app/phases/{controlplane,etcd}. */
export const COMPONENTS: readonly Component[] = [
  {
    name: 'etcd',
    image: () => `registry.k8s.io/etcd:${ETCD_VERSION}`,
    cpu: '100m',
    memory: '100Mi',
    port: 2381,
    scheme: 'HTTP',
    host: '127.0.0.1',
    paths: { live: '/livez', ready: '/readyz', startup: '/readyz' },
    volumes: {
      'etcd-certs': ['/etc/kubernetes/pki/etcd', 'DirectoryOrCreate'],
      'etcd-data': ['/var/lib/etcd', 'DirectoryOrCreate'],
    },
    annotations: (ip) => ({ 'kubeadm.kubernetes.io/etcd.advertise-client-urls': `https://${ip}:2379` }),
    command: (ip, node) => [
      'etcd',
      `--advertise-client-urls=https://${ip}:2379`,
      '--cert-file=/etc/kubernetes/pki/etcd/server.crt',
      '--client-cert-auth=true',
      '--data-dir=/var/lib/etcd',
      '--feature-gates=InitialCorruptCheck=true',
      `--initial-advertise-peer-urls=https://${ip}:2380`,
      `--initial-cluster=${node}=https://${ip}:2380`,
      '--key-file=/etc/kubernetes/pki/etcd/server.key',
      `--listen-client-urls=https://127.0.0.1:2379,https://${ip}:2379`,
      '--listen-metrics-urls=http://127.0.0.1:2381',
      `--listen-peer-urls=https://${ip}:2380`,
      `--name=${node}`,
      '--peer-cert-file=/etc/kubernetes/pki/etcd/peer.crt',
      '--peer-client-cert-auth=true',
      '--peer-key-file=/etc/kubernetes/pki/etcd/peer.key',
      '--peer-trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt',
      '--snapshot-count=10000',
      '--trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt',
      '--watch-progress-notify-interval=5s',
    ],
  },
  {
    name: 'kube-apiserver',
    image: (version) => `registry.k8s.io/kube-apiserver:${version}`,
    cpu: '250m',
    port: 6443,
    scheme: 'HTTPS',
    host: '',
    paths: { live: '/livez', ready: '/readyz', startup: '/livez' },
    volumes: { 'ca-certs': SYSTEM_CERTS, 'k8s-certs': CERTS },
    annotations: (ip) => ({ 'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint': `${ip}:6443` }),
    command: (ip) => [
      'kube-apiserver',
      `--advertise-address=${ip}`,
      '--allow-privileged=true',
      '--authorization-mode=Node,RBAC',
      '--client-ca-file=/etc/kubernetes/pki/ca.crt',
      '--enable-admission-plugins=NodeRestriction',
      '--enable-bootstrap-token-auth=true',
      '--etcd-cafile=/etc/kubernetes/pki/etcd/ca.crt',
      '--etcd-certfile=/etc/kubernetes/pki/apiserver-etcd-client.crt',
      '--etcd-keyfile=/etc/kubernetes/pki/apiserver-etcd-client.key',
      '--etcd-servers=https://127.0.0.1:2379',
      '--kubelet-client-certificate=/etc/kubernetes/pki/apiserver-kubelet-client.crt',
      '--kubelet-client-key=/etc/kubernetes/pki/apiserver-kubelet-client.key',
      '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
      '--proxy-client-cert-file=/etc/kubernetes/pki/front-proxy-client.crt',
      '--proxy-client-key-file=/etc/kubernetes/pki/front-proxy-client.key',
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-username-headers=X-Remote-User',
      '--secure-port=6443',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      '--service-account-key-file=/etc/kubernetes/pki/sa.pub',
      '--service-account-signing-key-file=/etc/kubernetes/pki/sa.key',
      '--service-cluster-ip-range=10.96.0.0/12',
      '--tls-cert-file=/etc/kubernetes/pki/apiserver.crt',
      '--tls-private-key-file=/etc/kubernetes/pki/apiserver.key',
    ],
  },
  {
    name: 'kube-controller-manager',
    image: (version) => `registry.k8s.io/kube-controller-manager:${version}`,
    cpu: '200m',
    port: 10257,
    scheme: 'HTTPS',
    host: '127.0.0.1',
    paths: { live: '/healthz', startup: '/healthz' },
    volumes: {
      'ca-certs': SYSTEM_CERTS,
      'k8s-certs': CERTS,
      kubeconfig: ['/etc/kubernetes/controller-manager.conf', 'FileOrCreate'],
    },
    command: () => [
      'kube-controller-manager',
      '--allocate-node-cidrs=true',
      '--authentication-kubeconfig=/etc/kubernetes/controller-manager.conf',
      '--authorization-kubeconfig=/etc/kubernetes/controller-manager.conf',
      '--bind-address=127.0.0.1',
      '--client-ca-file=/etc/kubernetes/pki/ca.crt',
      '--cluster-cidr=10.244.0.0/16',
      '--cluster-name=kubernetes',
      '--cluster-signing-cert-file=/etc/kubernetes/pki/ca.crt',
      '--cluster-signing-key-file=/etc/kubernetes/pki/ca.key',
      '--controllers=*,bootstrapsigner,tokencleaner',
      '--kubeconfig=/etc/kubernetes/controller-manager.conf',
      '--leader-elect=true',
      '--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt',
      '--root-ca-file=/etc/kubernetes/pki/ca.crt',
      '--service-account-private-key-file=/etc/kubernetes/pki/sa.key',
      '--service-cluster-ip-range=10.96.0.0/12',
      '--use-service-account-credentials=true',
    ],
  },
  {
    name: 'kube-scheduler',
    image: (version) => `registry.k8s.io/kube-scheduler:${version}`,
    cpu: '100m',
    port: 10259,
    scheme: 'HTTPS',
    host: '127.0.0.1',
    paths: { live: '/livez', ready: '/readyz', startup: '/livez' },
    volumes: { kubeconfig: ['/etc/kubernetes/scheduler.conf', 'FileOrCreate'] },
    command: () => [
      'kube-scheduler',
      '--authentication-kubeconfig=/etc/kubernetes/scheduler.conf',
      '--authorization-kubeconfig=/etc/kubernetes/scheduler.conf',
      '--bind-address=127.0.0.1',
      '--kubeconfig=/etc/kubernetes/scheduler.conf',
      '--leader-elect=true',
    ],
  },
];
