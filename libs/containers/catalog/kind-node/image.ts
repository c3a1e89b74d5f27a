import { directory, joinLayers, readPrograms } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { debian, shareLayer, withDebianPackages } from '../bases.js';

const PACKAGES = [
  'procps',
  'iproute2',
  'curl',
  'jq',
  'less',
  'vim',
  'nano',
  'openssl',
  'iputils-ping',
  ...['conntrack', 'iptables', 'ipset', 'ipvsadm', 'nftables'],
  'mount',
  'bsdextrautils',
  'net-tools',
  'psmisc',
  ...['wget', 'bind9-dnsutils', 'netcat-openbsd', 'bzip2'],
  ...['apt-transport-https', 'ca-certificates', 'gpg', 'python3', 'lsb-release', 'socat'],
];

/** The system of a node: Debian with systemd, and with what kubeadm's guide installs, and helm. */
const files = shareLayer('kind node', () =>
  joinLayers(
    withDebianPackages(debian('trixie'), ...PACKAGES),
    {
      '/usr/lib/systemd/system': directory(),
      '/etc/systemd/system': directory(),
      '/etc/apt/keyrings': directory(),
      '/usr/local/share/ca-certificates': directory(),
      '/etc/apparmor.d': directory(),
      '/etc/sysctl.d': directory(),
      '/etc/modules-load.d': directory(),
      '/var/log/journal': directory(0o2755),
    },
    readPrograms('/usr/bin systemd systemctl journalctl hostnamectl timedatectl'),
    readPrograms('/usr/sbin apparmor apparmor_parser aa-status apparmor_status'),
    readPrograms('/usr/sbin kmod lsmod modprobe'),
    readPrograms('/usr/bin node crictl ctr kubeadm etcdctl etcdutl ssh scp ssh-copy-id ssh-keygen sudo'),
    readPrograms('/usr/bin kubectl kubectl'),
    readPrograms('/usr/bin helm helm'),
  ),
);

export const image = toolImage({
  names: ['kindest/node'],
  tags: /^v1\.\d+\.\d+$/,
  layersMB: [412.7],
  config: { entrypoint: ['/usr/local/bin/entrypoint', '/sbin/init'] },
  files,
});
