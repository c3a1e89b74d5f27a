import type { Image, Start } from '@terrarium/engine';
import { parseNetConf, type NetConf } from '../../../engine/node/cni/flannel/net-conf.js';
import { NODES } from '../../../engine/node/kubelet/container/wakes.js';
import { serverImage, utc } from '../../programs/server.js';
import { alpine, withAlpinePackages } from '../bases.js';
import { acquireLease } from './lease.js';
import { findFault, readFile } from './fault.js';

const READY_AFTER = 600;

const klog =
  ({ at }: Start) =>
  (message: string, severity = 'I'): string => {
    const { iso } = utc(at);
    return `${severity}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000       1 ${message}`;
  };

function confOf(start: Start): NetConf | undefined {
  const conf = parseNetConf(start.kept ?? readFile(start) ?? '');
  return 'error' in conf ? undefined : conf;
}

/** What flanneld says until it knows its configuration. */
function firstLines(start: Start): string[] {
  const line = klog(start);
  return [
    line('main.go:211] CLI flags config: {kubeSubnetMgr:true ipMasq:true netConfPath:/etc/kube-flannel/net-conf.json}'),
    line('kube.go:139] Waiting 10m0s for node controller to sync'),
    line('kube.go:469] Starting kube subnet manager'),
  ];
}

function log(start: Start): readonly string[] {
  const line = klog(start);
  const { backend, vni } = confOf(start) ?? { backend: 'vxlan', vni: 1 };
  const { ip, node } = start.pod;
  return [
    ...firstLines(start),
    line('kube.go:163] Node controller sync successful'),
    line(`main.go:231] Created subnet manager: Kubernetes Subnet Manager - ${node}`),
    line('main.go:234] Installing signal handlers'),
    line(`main.go:468] Found network config - Backend type: ${backend}`),
    line(`match.go:269] Using interface with name eth0 and address ${ip}`),
    line(`match.go:291] Defaulting external address to interface address (${ip})`),
    ...(backend === 'vxlan'
      ? [line(`vxlan.go:141] VXLAN config: VNI=${vni} Port=0 GBP=false Learning=false DirectRouting=false`)]
      : []),
    line('kube.go:490] Setting NodeNetworkUnavailable'),
    line('main.go:412] Changing default FORWARD chain policy to ACCEPT'),
    line('main.go:439] Wrote subnet file to /run/flannel/subnet.env'),
    line('main.go:443] Running backend.'),
    line(`${backend === 'vxlan' ? 'vxlan' : 'route'}_network.go:65] watching for new subnet leases`),
  ];
}

function fails(start: Start): { code: number; lines: readonly string[] } | undefined {
  const fault = findFault(start);
  return fault === undefined
    ? undefined
    : { code: 1, lines: [...firstLines(start), klog(start)(`main.go:361] ${fault}`, 'E')] };
}

/** Flannel's agent. */
export const image: Image = {
  ...serverImage(
    {
      names: [
        'ghcr.io/flannel-io/flannel',
        'flannel/flannel',
        'rancher/mirrored-flannelcni-flannel',
        'quay.io/coreos/flannel',
      ],
      tags: /^(latest|v\d+\.\d+\.\d+(-[\w.]+)?)$/,
      layersMB: [3.6, 9.4, 18.9],
      files: withAlpinePackages(alpine(), 'iproute2', 'iptables'),
      commands: ['flanneld'],
      config: { entrypoint: ['/opt/bin/flanneld'] },
    },
    {
      readyAfterMs: READY_AFTER,
      fails,
      log,
      wakes: [NODES],
      tends(api, start, { now }) {
        const conf = confOf(start);
        return conf !== undefined && acquireLease(api, start.pod.node, conf, now);
      },
    },
  ),
  keeps: (start) => readFile(start),
};
