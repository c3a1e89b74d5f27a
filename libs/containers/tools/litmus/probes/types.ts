/** A probe as the engine's spec has it (litmuschaos.io/v1alpha1 ProbeAttributes). */
export type Probe = {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
  /** The manifest that a k8sProbe creates. */
  readonly data?: string;
  readonly runProperties?: RunProperties;
  readonly 'k8sProbe/inputs'?: K8sInputs;
  readonly 'httpProbe/inputs'?: HttpInputs;
  readonly 'cmdProbe/inputs'?: CmdInputs;
};

/** Durations are Go's: '2s', '500ms'. */
export type RunProperties = {
  readonly probeTimeout?: string;
  readonly interval?: string;
  readonly probePollingInterval?: string;
  readonly initialDelay?: string;
  readonly evaluationTimeout?: string;
  readonly attempt?: number;
  readonly retry?: number;
  readonly verbosity?: string;
  readonly stopOnFailure?: boolean;
};

export type K8sInputs = {
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly resourceNames?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly operation?: string;
};

export type HttpInputs = {
  readonly url?: string;
  readonly insecureSkipVerify?: boolean;
  readonly method?: { readonly get?: HttpMethod; readonly post?: HttpMethod };
};

export type HttpMethod = {
  readonly criteria?: string;
  readonly responseCode?: string;
  readonly body?: string;
  readonly bodyPath?: string;
  readonly contentType?: string;
};

export type CmdInputs = {
  readonly command?: string;
  readonly comparator?: { readonly type?: string; readonly criteria?: string; readonly value?: string };
  readonly source?: Source;
};

/** The pod that a command runs in; fields of a pod and its container. */
export type Source = {
  readonly image?: string;
  readonly hostNetwork?: boolean;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly object[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly imagePullPolicy?: string;
  readonly privileged?: boolean;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly object[];
  readonly volumes?: readonly object[];
  readonly volumeMount?: readonly object[];
  readonly imagePullSecrets?: readonly object[];
};

/** An error of litmus-go (pkg/cerrors). */
export type ProbeError = {
  readonly errorCode: string;
  readonly phase?: string;
  readonly reason: string;
  readonly target?: string;
};

/** What one attempt has found. */
export type Outcome =
  | { readonly error: ProbeError }
  | { readonly description: string; readonly register?: string; readonly error?: undefined };

/** The kinds of probes, and how their errors are called. */
export const CODES: Readonly<Record<string, string>> = {
  ...{ k8sprobe: 'K8S_PROBE', httpprobe: 'HTTP_PROBE', cmdprobe: 'CMD_PROBE' },
};

const codeOf = ({ type }: Probe): string => CODES[type.toLowerCase()] ?? 'GENERIC';

/** An error ends the experiment; a failure is a verdict. */
export const errorOf = (probe: Probe, reason: string): { readonly error: ProbeError } => ({
  error: { errorCode: `${codeOf(probe)}_ERROR`, reason, target: `{name: ${probe.name}}` },
});
export const failureOf = (
  probe: Probe,
  reason: string,
  target = `{name: ${probe.name}}`,
): { readonly error: ProbeError } => ({
  error: { errorCode: `${codeOf(probe)}_FAILURE`, reason, target },
});

export const isFailure = ({ errorCode }: ProbeError): boolean =>
  errorCode.endsWith('_FAILURE') || errorCode === 'PROBE_TIMEOUT';

/** As logs and results have it: the fields in Go's order. */
export const formatError = ({ errorCode, phase, reason, target }: ProbeError): string =>
  JSON.stringify({ errorCode, ...(phase ? { phase } : {}), reason, ...(target ? { target } : {}) });
