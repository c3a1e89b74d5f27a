import type { Pod, Service } from '../../../../engine/api/core_v1.js';
import type { HTTPIngressPath, Ingress } from '../../../../engine/api/networking_v1.js';
import { Ingresses, Pods, Services } from '../../../../engine/kinds/index.js';
import type { Kind } from '../../../../engine/machinery/kind.js';
import type { KubeObject } from '../../../../engine/machinery/meta/object.js';
import { encodeUtf8 } from '../../../../engine/machinery/text/utf8.js';
import type { Challenge } from '../resources.js';
import { controlledBy, ownedBy, type Work } from '../work.js';

export const CHALLENGE_PATH = '/.well-known/acme-challenge';
const PORT = 8_089;
const NAME = 'cm-acme-http-solver-';
const ADLER = 65_521;
/** Of releases that say so of a pod. */
const HARDENED = 10;

export const isPresentable = ({ spec }: Challenge): boolean => spec.solver.http01?.ingress !== undefined;

/** Adler-32 (RFC 1950). */
export function adler32(text: string): number {
  let [a, b] = [1, 0];
  for (const byte of encodeUtf8(text)) {
    a = (a + byte) % ADLER;
    b = (b + a) % ADLER;
  }
  return b * 65_536 + a;
}

const labelsOf = ({ spec }: Challenge): Record<string, string> => ({
  'acme.cert-manager.io/http-domain': String(adler32(spec.dnsName)),
  'acme.cert-manager.io/http-token': String(adler32(spec.token)),
  'acme.cert-manager.io/http01-solver': 'true',
});

/** A pod that answers, a Service and an Ingress before it. Models pkg/issuer/acme/http. */
export function present(work: Work, challenge: Challenge): void {
  if (controlledBy(work, Pods, challenge).length === 0) work.api.create(Pods, podOf(work, challenge));
  const [service = work.api.create(Services, serviceOf(challenge))] = controlledBy(work, Services, challenge);
  const name = challenge.spec.solver.http01?.ingress?.name;
  if (name) addPath(work, challenge, name, service.metadata.name!);
  else if (controlledBy(work, Ingresses, challenge).length === 0)
    work.api.create(Ingresses, ingressOf(challenge, service.metadata.name!));
}

/** Takes away what was presented. */
export function withdraw(work: Work, challenge: Challenge): void {
  for (const kind of [Pods, Services, Ingresses] as unknown as readonly Kind[])
    for (const { metadata } of controlledBy<KubeObject>(work, kind, challenge))
      if (!metadata.deletionTimestamp)
        work.api.delete(kind, { namespace: metadata.namespace ?? '', name: metadata.name! });
  const name = challenge.spec.solver.http01?.ingress?.name;
  const found = name && work.api.get(Ingresses, { namespace: challenge.metadata.namespace ?? '', name });
  if (!found) return;
  const path = `${CHALLENGE_PATH}/${challenge.spec.token}`;
  const rules = (found.spec.rules ?? [])
    .map((rule) => ({ ...rule, http: { paths: (rule.http?.paths ?? []).filter((one) => one.path !== path) } }))
    .filter(({ http }) => http.paths.length > 0);
  work.api.update(Ingresses, { ...found, spec: { ...found.spec, rules } });
}

/** An Ingress that is there already gets the path. */
function addPath({ api }: Work, challenge: Challenge, name: string, service: string): void {
  const found = api.get(Ingresses, { namespace: challenge.metadata.namespace ?? '', name });
  if (!found) return;
  const { rules = [] } = found.spec;
  const { dnsName, token } = challenge.spec;
  const own = rules.find(({ host }) => host === dnsName);
  if (own?.http?.paths.some(({ path }) => path === `${CHALLENGE_PATH}/${token}`)) return;
  const paths = [pathOf(challenge, service), ...(own?.http?.paths ?? [])];
  const rule = { host: dnsName, http: { paths } };
  const all = own ? rules.map((one) => (one === own ? rule : one)) : [...rules, rule];
  api.update(Ingresses, { ...found, spec: { ...found.spec, rules: all } });
}

const pathOf = ({ spec }: Challenge, name: string): HTTPIngressPath => ({
  ...{ path: `${CHALLENGE_PATH}/${spec.token}`, pathType: 'ImplementationSpecific' },
  backend: { service: { name, port: { number: PORT } } },
});

const metadataOf = (challenge: Challenge, annotations: Record<string, string>): KubeObject['metadata'] => ({
  ...{ generateName: NAME, namespace: challenge.metadata.namespace, labels: labelsOf(challenge), annotations },
  ownerReferences: ownedBy(challenge),
});

function podOf({ minor }: Work, challenge: Challenge): Pod {
  const { dnsName, token, key } = challenge.spec;
  const security = {
    ...{ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    ...(minor > HARDENED ? { readOnlyRootFilesystem: true } : {}),
  };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: metadataOf(challenge, { 'sidecar.istio.io/inject': 'false' }),
    spec: {
      ...{ automountServiceAccountToken: false, enableServiceLinks: false, restartPolicy: 'OnFailure' },
      ...{ nodeSelector: { 'kubernetes.io/os': 'linux' } },
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ...{ name: 'acmesolver', image: `quay.io/jetstack/cert-manager-acmesolver:v1.${minor}.1` },
          imagePullPolicy: 'IfNotPresent',
          args: [`--listen-port=${PORT}`, `--domain=${dnsName}`, `--token=${token}`, `--key=${key}`],
          resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { cpu: '100m', memory: '64Mi' } },
          ports: [{ name: 'http', containerPort: PORT }],
          securityContext: security,
        },
      ],
    },
    status: {},
  } as unknown as Pod;
}

const serviceOf = (challenge: Challenge): Service =>
  ({
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: metadataOf(challenge, { 'auth.istio.io/8089': 'NONE' }),
    spec: {
      type: challenge.spec.solver.http01?.ingress?.serviceType ?? 'NodePort',
      ports: [{ name: 'http', port: PORT, targetPort: PORT }],
      selector: labelsOf(challenge),
    },
  }) as unknown as Service;

function ingressOf(challenge: Challenge, service: string): Ingress {
  const { class: className, ingressClassName } = challenge.spec.solver.http01?.ingress ?? {};
  return {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
    metadata: metadataOf(challenge, {
      'nginx.ingress.kubernetes.io/whitelist-source-range': '0.0.0.0/0,::/0',
      ...(className ? { 'kubernetes.io/ingress.class': className } : {}),
    }),
    spec: {
      ...(ingressClassName ? { ingressClassName } : {}),
      rules: [{ host: challenge.spec.dnsName, http: { paths: [pathOf(challenge, service)] } }],
    },
    status: {},
  };
}
