/** Flags that several components of the control plane have. */
const COMMON = `v vmodule log-flush-frequency logging-format feature-gates profiling contention-profiling show-hidden-metrics-for-version
  disabled-metrics allow-metric-labels bind-address secure-port cert-dir tls-cert-file tls-private-key-file tls-cipher-suites
  tls-min-version tls-sni-cert-key http2-max-streams-per-connection permit-address-sharing permit-port-sharing
  requestheader-allowed-names requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
  requestheader-username-headers requestheader-uid-headers client-ca-file authorization-webhook-cache-authorized-ttl
  authorization-webhook-cache-unauthorized-ttl authentication-kubeconfig authentication-skip-lookup
  authentication-token-webhook-cache-ttl authentication-tolerate-lookup-failure authorization-always-allow-paths
  authorization-kubeconfig emulated-version emulation-forward-compatible help version`;

const LEADER = `leader-elect leader-elect-lease-duration leader-elect-renew-deadline leader-elect-resource-lock
  leader-elect-resource-name leader-elect-resource-namespace leader-elect-retry-period kubeconfig master kube-api-burst kube-api-qps
  kube-api-content-type`;

const OWN: Readonly<Record<string, string>> = {
  'kube-scheduler': `${COMMON} ${LEADER} config pod-max-in-unschedulable-pods-duration write-config-to`,
  'kube-controller-manager': `${COMMON} ${LEADER} allocate-node-cidrs allow-untagged-cloud attach-detach-reconcile-sync-period
    cidr-allocator-type cloud-config cloud-provider cluster-cidr cluster-name cluster-signing-cert-file cluster-signing-duration
    cluster-signing-key-file cluster-signing-kube-apiserver-client-cert-file cluster-signing-kube-apiserver-client-key-file
    cluster-signing-kubelet-client-cert-file cluster-signing-kubelet-client-key-file cluster-signing-kubelet-serving-cert-file
    cluster-signing-kubelet-serving-key-file cluster-signing-legacy-unknown-cert-file cluster-signing-legacy-unknown-key-file
    concurrent-cron-job-syncs concurrent-daemonset-syncs concurrent-deployment-syncs concurrent-endpoint-syncs
    concurrent-ephemeralvolume-syncs concurrent-gc-syncs concurrent-horizontal-pod-autoscaler-syncs concurrent-job-syncs
    concurrent-namespace-syncs concurrent-rc-syncs concurrent-replicaset-syncs concurrent-resource-quota-syncs
    concurrent-service-endpoint-syncs concurrent-service-syncs concurrent-serviceaccount-token-syncs concurrent-statefulset-syncs
    concurrent-ttl-after-finished-syncs configure-cloud-routes controller-start-interval controllers
    disable-attach-detach-reconcile-sync enable-dynamic-provisioning enable-garbage-collector enable-hostpath-provisioner
    endpoint-updates-batch-period endpointslice-updates-batch-period external-cloud-volume-plugin flex-volume-plugin-dir
    horizontal-pod-autoscaler-cpu-initialization-period horizontal-pod-autoscaler-downscale-stabilization
    horizontal-pod-autoscaler-initial-readiness-delay horizontal-pod-autoscaler-sync-period horizontal-pod-autoscaler-tolerance
    large-cluster-size-threshold legacy-service-account-token-clean-up-period max-endpoints-per-slice min-resync-period
    namespace-sync-period node-cidr-mask-size node-cidr-mask-size-ipv4 node-cidr-mask-size-ipv6 node-eviction-rate
    node-monitor-grace-period node-monitor-period node-startup-grace-period pv-recycler-increment-timeout-nfs
    pvclaimbinder-sync-period resource-quota-sync-period root-ca-file route-reconciliation-period
    secondary-node-eviction-rate service-account-private-key-file service-cluster-ip-range terminated-pod-gc-threshold
    unhealthy-zone-threshold unsupported-kube-api-over-localhost use-service-account-credentials`,
  'kube-apiserver': `${COMMON} admission-control admission-control-config-file advertise-address aggregator-reject-forwarding-redirects
    allow-privileged anonymous-auth api-audiences apiserver-count audit-log-batch-buffer-size audit-log-batch-max-size
    audit-log-batch-max-wait audit-log-compress audit-log-format audit-log-maxage audit-log-maxbackup audit-log-maxsize
    audit-log-mode audit-log-path audit-log-truncate-enabled audit-log-version audit-policy-file
    audit-webhook-batch-max-size audit-webhook-config-file audit-webhook-initial-backoff audit-webhook-mode
    authentication-config authentication-token-webhook-config-file authentication-token-webhook-version authorization-config
    authorization-mode authorization-policy-file authorization-webhook-config-file authorization-webhook-version
    cors-allowed-origins debug-socket-path default-not-ready-toleration-seconds default-unreachable-toleration-seconds
    default-watch-cache-size delete-collection-workers disable-admission-plugins disable-http2-serving
    egress-selector-config-file enable-admission-plugins enable-aggregator-routing enable-bootstrap-token-auth
    enable-garbage-collector enable-logs-handler enable-priority-and-fairness encryption-provider-config
    encryption-provider-config-automatic-reload endpoint-reconciler-type etcd-cafile etcd-certfile
    etcd-compaction-interval etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout
    etcd-keyfile etcd-prefix etcd-readycheck-timeout etcd-servers etcd-servers-overrides event-ttl external-hostname
    goaway-chance identity-lease-duration-seconds kubelet-certificate-authority kubelet-client-certificate
    kubelet-client-key kubelet-port kubelet-preferred-address-types kubelet-read-only-port kubelet-timeout
    kubernetes-service-node-port lease-reuse-duration-seconds livez-grace-period max-connection-bytes-per-sec
    max-mutating-requests-inflight max-requests-inflight min-request-timeout oidc-ca-file oidc-client-id
    oidc-groups-claim oidc-groups-prefix oidc-issuer-url oidc-required-claim oidc-signing-algs oidc-username-claim
    oidc-username-prefix peer-advertise-ip peer-advertise-port peer-ca-file proxy-client-cert-file proxy-client-key-file
    request-timeout runtime-config service-account-extend-token-expiration service-account-issuer
    service-account-jwks-uri service-account-key-file service-account-lookup service-account-max-token-expiration
    service-account-signing-endpoint service-account-signing-key-file service-cluster-ip-range service-node-port-range
    shutdown-delay-duration shutdown-send-retry-after shutdown-watch-termination-grace-period storage-backend
    storage-initialization-timeout storage-media-type strict-transport-security-directives token-auth-file
    tracing-config-file watch-cache watch-cache-sizes`,
  etcd: `advertise-client-urls auto-compaction-mode auto-compaction-retention auto-tls cert-file cipher-suites client-cert-auth
    client-crl-file config-file cors data-dir discovery discovery-srv election-timeout enable-pprof feature-gates
    force-new-cluster heartbeat-interval host-whitelist initial-advertise-peer-urls initial-cluster
    initial-cluster-state initial-cluster-token initial-election-tick-advance key-file listen-client-http-urls
    listen-client-urls listen-metrics-urls listen-peer-urls log-format log-level log-outputs logger max-concurrent-streams
    max-request-bytes max-snapshots max-txn-ops max-wals metrics name peer-auto-tls peer-cert-allowed-cn peer-cert-file
    peer-client-cert-auth peer-key-file peer-trusted-ca-file pre-vote quota-backend-bytes snapshot-count
    socket-reuse-address socket-reuse-port strict-reconfig-check tls-max-version tls-min-version trusted-ca-file
    unsafe-no-fsync version wal-dir watch-progress-notify-interval experimental-initial-corrupt-check
    experimental-watch-progress-notify-interval`,
};

/** The flags of a component of the control plane, without their hyphens; undefined for other programs. */
export const flagsOf = (component: string): ReadonlySet<string> | undefined =>
  Object.hasOwn(OWN, component) ? new Set(OWN[component]!.split(/\s+/)) : undefined;

/** Flags that name a file which the component reads when it starts. */
export const isFileFlag = (flag: string): boolean =>
  !CONFIGURATIONS.has(flag) &&
  (/(?:-file|-kubeconfig|cafile|certfile|keyfile)$/.test(flag) ||
    [
      'kubeconfig',
      'config',
      'kubelet-client-certificate',
      'kubelet-client-key',
      'kubelet-certificate-authority',
    ].includes(flag));

/** Files that the API server says more of when it does not like them. */
const CONFIGURATIONS: ReadonlySet<string> = new Set([
  'audit-policy-file',
  'admission-control-config-file',
  'encryption-provider-config',
]);
