import type { ApiServerConfiguration } from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { Read } from './config-file.js';

type Found = Pick<ApiServerConfiguration, 'anonymous' | 'authorizationModes'>;

const MODES = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];
const OF_KUBEADM = 'Node,RBAC';
/** Other files' business, without which these modes are refused. */
const NEEDS: Readonly<Record<string, [flag: string, error: string]>> = {
  ABAC: ['authorization-policy-file', "authorization-mode ABAC's authorization policy file not passed"],
  Webhook: ['authorization-webhook-config-file', "authorization-mode Webhook's authorization config file not passed"],
};
const TLS_VERSIONS = ['', 'VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'];
const BOOLEANS = [
  'anonymous-auth',
  'profiling',
  'allow-privileged',
  'enable-bootstrap-token-auth',
  'service-account-lookup',
];
const NUMBERS = [
  'audit-log-maxage',
  'audit-log-maxbackup',
  'audit-log-maxsize',
  'secure-port',
  'max-requests-inflight',
];
const BOOLEAN = /^(?:1|0|t|f|T|F|true|false|TRUE|FALSE|True|False)$/;

/** Why a flag does not parse, as cobra prints it; undefined: all do. */
export function findUnparsable(flags: ReadonlyMap<string, string>): string | undefined {
  const invalid = (name: string, value: string, parser: string): string =>
    `Error: invalid argument ${JSON.stringify(value)} for "--${name}" flag: strconv.${parser}: parsing ${JSON.stringify(value)}: invalid syntax`;
  for (const name of BOOLEANS) {
    const value = flags.get(name) ?? '';
    if (value !== '' && !BOOLEAN.test(value)) return invalid(name, value, 'ParseBool');
  }
  for (const name of NUMBERS) {
    const value = flags.get(name);
    if (value !== undefined && !/^[-+]?\d+$/.test(value)) return invalid(name, value, 'ParseInt');
  }
  return undefined;
}

/** Who is let in, and what decides on what they may do. Models pkg/kubeapiserver/options. */
export function readAccessOptions(flags: ReadonlyMap<string, string>): Read<Found> {
  const text = flags.get('authorization-mode') ?? 'AlwaysAllow';
  const modes = text.split(',');
  const unknown = modes.find((mode) => !MODES.includes(mode));
  if (unknown !== undefined) return { failure: `authorization-mode ${JSON.stringify(unknown)} is not a valid mode` };
  if (new Set(modes).size < modes.length)
    return { failure: `authorization-mode ${goList(modes)} has mode specified more than once` };
  for (const mode of modes) {
    const [flag, error] = NEEDS[mode] ?? [];
    if (flag !== undefined && error !== undefined && (flags.get(flag) ?? '') === '') return { failure: error };
  }
  const tls = flags.get('tls-min-version') ?? '';
  if (!TLS_VERSIONS.includes(tls)) return { failure: `unknown tls version ${JSON.stringify(tls)}` };
  const isClosed = /^(?:0|f|F|false|FALSE|False)$/.test(flags.get('anonymous-auth') ?? '');
  return {
    value: {
      ...(isClosed ? { anonymous: false } : {}),
      ...(text === OF_KUBEADM ? {} : { authorizationModes: modes }),
    },
  };
}

/** Go's %q of strings. */
const goList = (list: readonly string[]): string => `[${list.map((one) => JSON.stringify(one)).join(' ')}]`;
