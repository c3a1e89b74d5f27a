import type { Reader } from '@terrarium/engine';
import { Secrets } from '../../../engine/kinds/index.js';
import type { ServerHello } from '../../../engine/node/cni/tls.js';
import { helloOfSecret } from '../ingress/certificates.js';
import { listenerSays, type Said } from './conditions.js';
import { isGranted } from './grants.js';
import { intersect } from './hostnames.js';
import { GROUP, type Gateway, type Listener, type ObjectReference, type RouteGroupKind } from './resources.js';

/** A listener and what the controller thinks of it. */
export interface Judged {
  readonly listener: Listener;
  readonly isValid: boolean;
  readonly kinds: readonly RouteGroupKind[];
  readonly said: readonly Said[];
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  HTTP: ['HTTPRoute', 'GRPCRoute'],
  HTTPS: ['HTTPRoute', 'GRPCRoute'],
  TLS: ['TLSRoute'],
};
const quoted = (list: readonly string[]): string => list.map((one) => JSON.stringify(one)).join(', ');

/** The listeners of a Gateway, in their order. Models internal/controller/state/graph/gateway_listener.go. */
export function judgeListeners(read: Reader, gateway: Gateway): Judged[] {
  const judged = gateway.spec.listeners.map((listener) => judge(read, gateway.metadata.namespace ?? '', listener));
  return judged.map((one, index) => {
    const found = conflictOf(one, index, judged);
    return found ? { ...one, isValid: false, said: [...one.said, ...found] } : one;
  });
}

function judge(read: Reader, namespace: string, listener: Listener): Judged {
  const { kinds, said: kindSaid } = kindsOf(listener);
  const said = [...kindSaid, ...faultsOf(listener)];
  if (said.length > 0) return { listener, isValid: false, kinds, said };
  const certificates = certificateFaults(read, namespace, listener);
  const refs = listener.tls?.certificateRefs?.length ?? 0;
  const [first] = certificates;
  if (!first) return { listener, isValid: true, kinds, said: listenerSays.fine };
  const message = certificates.map((fault) => fault.message).join('; ');
  if (certificates.length >= refs)
    return { listener, isValid: false, kinds, said: listenerSays.invalidCertificate(message, first.reason) };
  const more = listenerSays.unresolved(message, first.reason);
  return { listener, isValid: true, kinds, said: [...listenerSays.fine, ...more] };
}

function kindsOf({ protocol, allowedRoutes }: Listener): { kinds: RouteGroupKind[]; said: Said[] } {
  const known = KINDS[protocol] ?? [];
  if (!allowedRoutes?.kinds?.length) return { kinds: known.map((kind) => ({ group: GROUP, kind })), said: [] };
  const kinds: RouteGroupKind[] = [];
  const said: Said[] = [];
  for (const { group = GROUP, kind } of allowedRoutes.kinds) {
    if (group !== GROUP || !known.includes(kind))
      said.push(...listenerSays.invalidKinds(`Unsupported route kind for protocol ${protocol} "${group}/${kind}"`));
    else if (!kinds.some((one) => one.kind === kind)) kinds.push({ group, kind });
  }
  return { kinds, said };
}

function faultsOf({ protocol, tls, allowedRoutes }: Listener): Said[] {
  const { unsupportedValue, unsupportedProtocol, invalidCertificate } = listenerSays;
  if (!(protocol in KINDS)) {
    const known = quoted(['HTTP', 'HTTPS', 'TLS', 'TCP', 'UDP']);
    return unsupportedProtocol(`protocol: Unsupported value: ${JSON.stringify(protocol)}: supported values: ${known}`);
  }
  const { from, selector } = allowedRoutes?.namespaces ?? {};
  if (from === 'Selector' && !selector)
    return unsupportedValue("Listener's AllowedRoutes Selector must be set when From is set to type Selector");
  if (protocol === 'HTTP') return tls ? unsupportedValue('tls: Forbidden: tls is not supported for HTTP listener') : [];
  if (!tls)
    return unsupportedValue(
      protocol === 'TLS'
        ? 'tls: Required value: tls must be defined for TLS listener'
        : 'TLS: Required value: tls must be defined for HTTPS listener',
    );
  const mode = tls.mode ?? 'Terminate';
  if (mode === 'Passthrough' && protocol === 'TLS') return [];
  if (mode !== 'Terminate')
    return unsupportedValue(`tls.mode: Unsupported value: "${mode}": supported values: ${quoted(['Terminate'])}`);
  const refs = tls.certificateRefs ?? [];
  if (refs.length === 0)
    return invalidCertificate(
      'tls.certificateRefs: Required value: certificateRefs must be defined for TLS mode terminate',
    );
  return refs.flatMap(({ kind = 'Secret', group = '' }, index) => {
    const path = `tls.certificateRefs[${index}]`;
    if (kind !== 'Secret')
      return invalidCertificate(`${path}.kind: Unsupported value: "${kind}": supported values: "Secret"`);
    return group === '' ? [] : invalidCertificate(`${path}.group: Unsupported value: "${group}": supported values: ""`);
  });
}

interface CertificateFault {
  readonly reason: string;
  readonly message: string;
}

function certificateFaults(read: Reader, namespace: string, { tls, protocol }: Listener): CertificateFault[] {
  if (protocol === 'HTTP' || tls?.mode === 'Passthrough') return [];
  return (tls?.certificateRefs ?? []).flatMap((ref, index) => {
    const to = { kind: 'Secret', namespace: ref.namespace ?? namespace, name: ref.name } as const;
    const name = `${to.namespace}/${to.name}`;
    if (!isGranted(read, { kind: 'Gateway', namespace }, to))
      return [
        {
          reason: 'RefNotPermitted',
          message: `Certificate ref to secret ${name} not permitted by any ReferenceGrant`,
        },
      ];
    const why = secretFault(read, to);
    if (why === undefined) return [];
    const message = `tls.certificateRefs[${index}]: Invalid value: "${name}": ${why}`;
    return [{ reason: 'InvalidCertificateRef', message }];
  });
}

function secretFault(read: Reader, { namespace, name }: { namespace: string; name: string }): string | undefined {
  const secret = read.get(Secrets, { namespace, name });
  if (!secret) return `Secret ${namespace}/${name} does not exist`;
  if (secret.type !== 'kubernetes.io/tls') return `unsupported secret type "${secret.type}"`;
  if (helloOfSecret(read, namespace, name)) return undefined;
  return 'tls secret is invalid: tls: failed to find any PEM data in certificate input';
}

const isSecure = (protocol: string): boolean => protocol !== 'HTTP';

/** Two listeners of one port that cannot both be. */
function conflictOf({ listener }: Judged, index: number, all: readonly Judged[]): Said[] | undefined {
  const { port, protocol, hostname = '' } = listener;
  const others = all.flatMap((one, at) => (at !== index && one.listener.port === port ? [{ ...one, at }] : []));
  if (others.some((one) => isSecure(one.listener.protocol) !== isSecure(protocol)))
    return listenerSays.conflict(
      'ProtocolConflict',
      `Multiple listeners for the same port ${port} specify incompatible protocols; ensure only one protocol per port`,
    );
  const overlaps = (other: string): boolean => intersect(hostname, other) !== undefined;
  if (others.some(({ listener: one }) => one.protocol !== protocol && overlaps(one.hostname ?? '')))
    return listenerSays.conflict(
      'HostnameConflict',
      `HTTPS and TLS listeners for the same port ${port} specify overlapping hostnames; ` +
        'ensure no overlapping hostnames for HTTPS and TLS listeners for the same port',
    );
  const first = others.find((one) => one.at < index && one.isValid && (one.listener.hostname ?? '') === hostname);
  return first
    ? listenerSays.conflict(
        'HostnameConflict',
        `Multiple listeners with the same port ${port} and protocol ${protocol} have overlapping hostnames`,
      )
    : undefined;
}

/** What a listener shows in a TLS handshake: the first of its certificates that can be read. */
export function helloOf(read: Reader, namespace: string, { tls }: Listener): ServerHello | undefined {
  for (const ref of (tls?.certificateRefs ?? []) as readonly ObjectReference[]) {
    const to = { kind: 'Secret', namespace: ref.namespace ?? namespace, name: ref.name } as const;
    if (!isGranted(read, { kind: 'Gateway', namespace }, to)) continue;
    const hello = helloOfSecret(read, to.namespace, to.name);
    if (hello) return hello;
  }
  return undefined;
}
