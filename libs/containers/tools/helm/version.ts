/** The release that is simulated. */
export const HELM_VERSION = 'v3.18.6';

/** version.BuildInfo. */
export const VERSION_INFO = {
  Version: HELM_VERSION,
  GitCommit: 'b76a950f6835474e0906b96c9ec68a2eff3a6430',
  GitTreeState: 'clean',
  GoVersion: 'go1.24.6',
} as const;

/** Of `.Capabilities` where no cluster is asked: k8s.io/client-go's own release. */
export const CLIENT_KUBE_VERSION = { version: 'v1.33.0', major: '1', minor: '33' } as const;
