/** What the programs of the control plane print when they start: a level, a place of the source, and what they say. */
export function linesOf(image = '', ip = '', mode = 'iptables'): readonly string[] {
  const version = image.slice(image.lastIndexOf(':') + 1);
  const name = /\/(kube-[a-z-]+)(?::|$)/.exec(image)?.[1] ?? '';
  return LINES[name]?.(version, ip, mode) ?? [];
}

const GOLANG = '"Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""';
const SERVING = 'I serving.go:386] Generated self-signed cert in-memory';
const lease = (name: string): string[] => [
  `I leaderelection.go:257] attempting to acquire leader lease kube-system/${name}...`,
  `I leaderelection.go:271] successfully acquired lease kube-system/${name}`,
];
/** A controller of kube-proxy that follows a kind of object. */
const follows = (place: string, name: string): string[] => [
  `I ${place}] "Starting ${name} controller"`,
  `I shared_informer.go:349] "Waiting for caches to sync" controller="${name}"`,
];
const FOLLOWED = ['service config', 'endpoint slice config', 'serviceCIDR config', 'node config'] as const;
const PLACES = ['config.go:200', 'config.go:106', 'config.go:403', 'config.go:309'] as const;

const PROXIERS: Readonly<Record<string, string>> = {
  iptables: 'server_linux.go:132',
  ipvs: 'server_linux.go:174',
  nftables: 'server_linux.go:220',
};

const LINES: Readonly<Record<string, (version: string, ip: string, mode: string) => readonly string[]>> = {
  'kube-apiserver': (version, ip) => [
    `I options.go:263] external host was not specified, using ${ip}`,
    `I server.go:150] Version: ${version}`,
    `I server.go:152] ${GOLANG}`,
  ],
  'kube-controller-manager': (version) => [
    SERVING,
    `I controllermanager.go:189] "Starting" version="${version}"`,
    `I controllermanager.go:191] ${GOLANG}`,
    'I secure_serving.go:211] Serving securely on 127.0.0.1:10257',
    ...lease('kube-controller-manager'),
  ],
  'kube-scheduler': (version) => [
    SERVING,
    `I server.go:175] "Starting Kubernetes Scheduler" version="${version}"`,
    `I server.go:177] ${GOLANG}`,
    'I secure_serving.go:211] Serving securely on 127.0.0.1:10259',
    ...lease('kube-scheduler'),
  ],
  'kube-proxy': (version, ip, mode) => [
    ...(mode === 'iptables' ? ['I server_linux.go:53] "Using iptables proxy"'] : []),
    `I server.go:219] "Successfully retrieved NodeIPs" NodeIPs=["${ip}"]`,
    'E server.go:256] "Kube-proxy configuration may be incomplete or incorrect" err="nodePortAddresses is unset; NodePort connections will be accepted on all local IPs. Consider using `--nodeport-addresses primary`"',
    `I ${PROXIERS[mode] ?? PROXIERS['iptables']}] "Using ${mode} Proxier"`,
    `I server.go:527] "Version info" version="${version}"`,
    `I server.go:529] ${GOLANG}`,
    ...FOLLOWED.flatMap((name, i) => follows(PLACES[i]!, name)),
    ...FOLLOWED.map((name) => `I shared_informer.go:356] "Caches are synced" controller="${name}"`),
  ],
};
