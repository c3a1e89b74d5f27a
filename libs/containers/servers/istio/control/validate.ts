import { compilePattern } from '../../../../engine/machinery/text/regex.js';
import { parseDuration } from '../../go.js';
import { ALLOWED, type Asked, type Decision } from '../../../programs/review.js';
import type {
  AuthorizationPolicy,
  DestinationRule,
  Gateway,
  HttpRoute,
  PeerAuthentication,
  StringMatch,
  VirtualService,
  WeightedDestination,
} from '../resources.js';

const MAX_PORT = 65_535;
const LABEL = /^[a-zA-Z0-9](?:[-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/;
const PROTOCOLS = new Set([
  ...[
    'HTTP',
    'HTTP2',
    'GRPC',
    'GRPC-WEB',
    'HTTPS',
    'TLS',
    'TCP',
    'MONGO',
    'REDIS',
    'MYSQL',
    'UDP',
    'HTTP_PROXY',
    'HBONE',
  ],
]);

/** Checks what users write of Istio's kinds, in its words. Models pkg/config/validation, its most usual part. */
export function validateObject({ object, operation }: Asked): Decision {
  if (!object || operation === 'DELETE') return ALLOWED;
  const faults = (CHECKS[object.kind ?? ''] ?? (() => []))(object as never);
  if (faults.length === 0) return ALLOWED;
  return { allowed: false, status: { message: `configuration is invalid: ${joinFaults(faults)}`, code: 400 } };
}

/** As go-multierror prints several. */
const joinFaults = (faults: readonly string[]): string =>
  faults.length === 1
    ? faults[0]!
    : `${faults.length} errors occurred:\n${faults.map((text) => `\t* ${text}\n`).join('')}\n`;

const CHECKS: Readonly<Record<string, (object: never) => string[]>> = {
  VirtualService: virtualServiceFaults,
  DestinationRule: destinationRuleFaults,
  Gateway: gatewayFaults,
  PeerAuthentication: peerAuthenticationFaults,
  AuthorizationPolicy: authorizationFaults,
};

const portFault = (port: number | undefined): string[] =>
  port === undefined || port < 1 || port > MAX_PORT ? [`port number ${port ?? 0} must be in the range 1..65535`] : [];

function domainFault(name: string): string[] {
  if (name === '') return ['domain name "" invalid (label "" invalid)'];
  const labels = (name.startsWith('*.') ? name.slice(2) : name === '*' ? 'a' : name).replace(/\.$/, '').split('.');
  const bad = labels.find((label) => !LABEL.test(label));
  return bad === undefined
    ? []
    : [`domain name ${JSON.stringify(name)} invalid (label ${JSON.stringify(bad)} invalid)`];
}

function virtualServiceFaults({ spec = {} }: VirtualService): string[] {
  const { hosts = [], gateways = [], http = [], tcp = [], tls = [] } = spec;
  const isOfMesh = gateways.length === 0 || gateways.includes('mesh');
  const faults: string[] = [];
  for (const host of hosts) {
    if (host === '*' && isOfMesh)
      faults.push('wildcard host * is not allowed for virtual services bound to the mesh gateway');
    else faults.push(...domainFault(host));
  }
  for (const [index, host] of hosts.entries())
    if (hosts.indexOf(host) < index) faults.push(`duplicate hosts in virtual service: ${host} & ${host}`);
  if (hosts.length === 0 && gateways.length > 0)
    faults.push('delegate virtual service must have no gateways specified');
  if (http.length + tcp.length + tls.length === 0) faults.push('http, tcp or tls must be provided in virtual service');
  return [...faults, ...http.flatMap(httpFaults)];
}

function httpFaults(route: HttpRoute): string[] {
  const { redirect, directResponse, fault, rewrite, timeout, retries, delegate, match = [] } = route;
  const targets = route.route ?? [];
  const faults: string[] = [];
  if (redirect) {
    if (targets.length > 0) faults.push('HTTP route cannot contain both route and redirect');
    if (fault) faults.push('HTTP route cannot contain both fault and redirect');
    if (rewrite) faults.push('HTTP route rule cannot contain both rewrite and redirect');
  } else if (directResponse) {
    if (targets.length > 0) faults.push('HTTP route cannot contain both route and direct_response');
  } else if (targets.length === 0 && !delegate) faults.push('HTTP route, redirect or direct_response is required');
  for (const { uri, method, authority, scheme, headers = {}, queryParams = {} } of match) {
    const named = { uri, scheme, method, authority };
    for (const [name, one] of Object.entries(named)) faults.push(...textFaults(one, name));
    for (const one of Object.values(headers)) faults.push(...textFaults(one, 'headers'));
    for (const one of Object.values(queryParams)) faults.push(...textFaults(one, 'queryParams'));
  }
  faults.push(...faultFaults(fault), ...destinationFaults(targets));
  if (retries?.attempts !== undefined && retries.attempts < 0) faults.push('attempts cannot be negative');
  if (retries?.attempts === 0 && (retries.retryOn || retries.perTryTimeout))
    faults.push('http retry policy configured when attempts are set to 0 (disabled)');
  for (const text of [timeout, retries?.perTryTimeout]) faults.push(...durationFaults(text));
  return faults;
}

function durationFaults(text: string | undefined): string[] {
  if (text === undefined) return [];
  const found = parseDuration(text);
  if (found === undefined) return [`duration: invalid ${JSON.stringify(text)}`];
  return found !== 0 && found < 1 ? ['duration must be greater than 1ms'] : [];
}

function textFaults(match: StringMatch | undefined, where: string): string[] {
  if (match?.prefix === '') return [`${JSON.stringify(where)}: prefix string match should not be empty`];
  if (match?.regex === undefined) return [];
  if (match.regex === '') return [`${JSON.stringify(where)}: regex string match should not be empty`];
  if (compilePattern(match.regex)) return [];
  return [
    `${JSON.stringify(where)}: error parsing regexp: \`${match.regex}\`; Istio uses RE2 style regex-based match (https://github.com/google/re2/wiki/Syntax)`,
  ];
}

function faultFaults(fault: HttpRoute['fault']): string[] {
  if (!fault) return [];
  const { delay, abort } = fault;
  if (!delay && !abort) return ['HTTP fault injection must have an abort and/or a delay'];
  const status = abort?.httpStatus;
  const share = (value: number | undefined): string[] =>
    value !== undefined && (value < 0 || value > 100) ? [`percentage ${value} is not in range 0..100`] : [];
  return [
    ...(status !== undefined && (status < 200 || status > 599)
      ? [`HTTP status ${status} is not in range 200-599`]
      : []),
    ...durationFaults(delay?.fixedDelay),
    ...share(delay?.percentage?.value),
    ...share(abort?.percentage?.value),
  ];
}

function destinationFaults(targets: readonly WeightedDestination[]): string[] {
  const faults = targets.flatMap(({ destination, weight = 0 }) => [
    ...(destination ? [] : ['destination is required']),
    ...(destination?.host === '*'
      ? [`invalid destination host ${destination.host}`]
      : domainFault(destination?.host ?? 'a')),
    ...(destination?.port ? portFault(destination.port.number) : []),
    ...(weight < 0 ? [`weight ${weight} < 0`] : []),
  ]);
  const total = targets.reduce((sum, { weight = 0 }) => sum + weight, 0);
  return targets.length > 1 && total === 0 ? [...faults, 'total destination weight = 0'] : faults;
}

function destinationRuleFaults({ spec = { host: '' } }: DestinationRule): string[] {
  const seen = new Set<string>();
  const faults = domainFault(spec.host ?? '');
  for (const { name, labels = {} } of spec.subsets ?? []) {
    if (seen.has(name)) faults.push(`duplicate subset names: ${name}`);
    seen.add(name);
    if (!LABEL.test(name ?? '')) faults.push(`subset name is invalid: ${JSON.stringify(name ?? '')}`);
    for (const value of Object.values(labels))
      if (!/^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/.test(String(value)))
        faults.push(`invalid tag value: ${JSON.stringify(value)}`);
  }
  return faults;
}

function gatewayFaults({ apiVersion = '', spec = {} }: Gateway): string[] {
  if (!apiVersion.startsWith('networking.istio.io/')) return [];
  const { servers = [] } = spec;
  if (servers.length === 0) return ['gateway must have at least one server'];
  const names = new Set<string>();
  return servers.flatMap(({ hosts = [], port, tls }) => {
    const faults = hosts.length === 0 ? ['server config must contain at least one host'] : [];
    for (const host of hosts) faults.push(...domainFault(host.slice(host.indexOf('/') + 1)));
    if (!port) return [...faults, 'port is required'];
    const protocol = (port.protocol ?? '').toUpperCase();
    if (!PROTOCOLS.has(protocol))
      faults.push(
        `invalid protocol ${JSON.stringify(port.protocol ?? '')}, supported protocols are HTTP, HTTP2, GRPC, GRPC-WEB, MONGO, REDIS, MYSQL, TCP`,
      );
    faults.push(...portFault(port.number));
    const isTls = protocol === 'HTTPS' || protocol === 'TLS';
    if (isTls && !tls) faults.push('server must have TLS settings for HTTPS/TLS protocols');
    if (!isTls && tls?.mode && tls.mode !== 'PASSTHROUGH')
      faults.push('server cannot have TLS settings for plain text HTTP ports');
    if (tls?.mode === 'SIMPLE' && !tls.credentialName) {
      if (!tls.serverCertificate) faults.push('SIMPLE TLS requires a server certificate');
      if (!tls.privateKey) faults.push('SIMPLE TLS requires a private key');
    }
    if (names.has(port.name ?? ''))
      faults.push(`port names in servers must be unique: duplicate name ${port.name ?? ''}`);
    names.add(port.name ?? '');
    return faults;
  });
}

function peerAuthenticationFaults({ spec = {} }: PeerAuthentication): string[] {
  const hasSelector = Object.keys(spec?.selector?.matchLabels ?? {}).length > 0;
  const ports = Object.keys(spec?.portLevelMtls ?? {});
  if (ports.length > 0 && !hasSelector) return ['mesh/namespace peer authentication cannot have port level mTLS'];
  return ports.includes('0') ? ['port cannot be 0'] : [];
}

function authorizationFaults({ spec = {} }: AuthorizationPolicy): string[] {
  const { rules = [], action = 'ALLOW' } = spec ?? {};
  if (action === 'DENY' && spec?.rules === undefined)
    return ['a DENY policy without `rules` is meaningless and has no effect, found in authorization policy'];
  return rules.flatMap(({ from, to, when }, index) => [
    ...(from !== undefined && from.length === 0 ? [`\`from\` cannot be empty, found at rule ${index}`] : []),
    ...(to !== undefined && to.length === 0 ? [`\`to\` cannot be empty, found at rule ${index}`] : []),
    ...(from ?? []).flatMap(({ source }) => (source ? [] : ['`from.source` cannot be nil, found at rule ' + index])),
    ...(to ?? []).flatMap(({ operation }) =>
      operation ? [] : ['`to.operation` cannot be nil, found at rule ' + index],
    ),
    ...(when ?? []).flatMap(({ key }) => (key ? [] : ['`key` cannot be empty'])),
  ]);
}
