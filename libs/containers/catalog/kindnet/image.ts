import { formatKlogLine } from '../../../engine/machinery/text/klog.js';
import { debian, withDebianPackages } from '../bases.js';
import { serverImage } from '../../programs/server.js';

export const image = serverImage(
  {
    names: ['kindest/kindnetd'],
    tags: /^v\d{8}-[0-9a-f]{8}$/,
    layersMB: [2.1, 34.8],
    files: withDebianPackages(debian('bookworm'), 'iproute2', 'iptables'),
    commands: 'any',
    config: { cmd: ['/bin/kindnetd'] },
  },
  {
    readyAfterMs: 300,
    log: ({ at, env, pod }) =>
      [
        `main.go:109] connected to apiserver: https://${env['CONTROL_PLANE_ENDPOINT'] ?? 'control-plane:6443'}`,
        `main.go:139] hostIP = ${env['HOST_IP'] ?? pod.ip}`,
        `main.go:172] podIP = ${env['POD_IP'] ?? pod.ip}`,
      ].map((text) => formatKlogLine('I', at, text)),
  },
);
