import type { Start } from '@terrarium/engine';
import { logLine, releaseOf } from '../../servers/cilium/lines.js';

/** What an agent writes until it is ready. */
export function agentLines({ at, container, pod, files }: Start): readonly string[] {
  const image = container.image ?? '';
  const config = files();
  const of = (name: string, otherwise: string): string => config[`/tmp/cilium/config-map/${name}`] ?? otherwise;
  const say = (message: string, fields: Record<string, string> = {}, module = 'daemon'): string =>
    logLine(at, image, module, message, fields);
  return [
    say('Memory available for map entries (0.003% of 16766504960B): 41916262B', {}, 'config'),
    say("  --config-dir='/tmp/cilium/config-map'"),
    say('     _ _ _'),
    say(' ___|_| |_|_ _ _____'),
    say('|  _| | | | | |     |'),
    say('|___|_|_|_|___|_|_|_|'),
    say(`Cilium ${releaseOf(image).join('.')} go version go1.24.9 linux/amd64`),
    say('Establishing connection to apiserver', { ipAddr: 'https://10.96.0.1:443' }, 'k8s-client'),
    say('Connected to apiserver', {}, 'k8s-client'),
    say('Kernel version is 6.8.0 and clang version is 18.1.8', {}, 'linux-datapath'),
    say('Waiting until all Cilium CRDs are available', {}, 'k8s-synced'),
    say('All Cilium CRDs have been found and are available', {}, 'k8s-synced'),
    say('Retrieved node information from cilium node', { nodeName: pod.node }, 'k8s'),
    say(`Initializing node addressing`),
    say(`Initializing ${of('ipam', 'cluster-pool')} IPAM`, {}, 'ipam'),
    say('Addressing information:', { 'Cluster-Name': of('cluster-name', 'default') }),
    say(`Using autodetected primary IPv4 address ${pod.ip}`),
    say('Generating CNI configuration file with mode none', {}, 'cni-config'),
    say('Wrote CNI configuration file to /host/etc/cni/net.d/05-cilium.conflist', {}, 'cni-config'),
    say('Initializing identity allocator', {}, 'identity-cache'),
    say('Daemon initialization completed', { bootstrapTime: '2.843116s' }),
    say('Serving cilium API at unix:///var/run/cilium/cilium.sock', {}, 'cilium-api-server'),
  ];
}
