import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressTLS,
} from '../../../api/networking_v1.js';
import { invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import {
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isIP,
  isPathSegmentName,
  isPortName,
  isPortNumber,
  isWildcardDNS1123Subdomain,
} from '../../../machinery/meta/validation.js';
import {
  validateEach,
  validateTextPointer,
  validateOptionalText,
  validateRequiredText,
} from '../../field-validation.js';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const BAD_SEQUENCES = ['//', '/./', '/../', '%2f', '%2F'];
const BAD_SUFFIXES = ['/..', '/.'];

/** Models pkg/apis/networking/validation ValidateIngressSpec. */
export function validateIngress({ spec }: Ingress): FieldError[] {
  const path = Path.of('spec');
  const errors: FieldError[] = [];
  if (!spec.rules?.length && !spec.defaultBackend) {
    errors.push(invalidValue(path, spec.rules ?? null, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (spec.defaultBackend) errors.push(...validateBackend(spec.defaultBackend, path.child('defaultBackend')));
  errors.push(
    ...validateEach(spec.rules, path.child('rules'), validateRule),
    ...validateEach(spec.tls, path.child('tls'), validateTLS),
  );
  if (spec.ingressClassName !== undefined)
    errors.push(
      ...invalidEach(path.child('ingressClassName'), spec.ingressClassName, isDNS1123Subdomain(spec.ingressClassName)),
    );
  return errors;
}

export function validateIngressClassAnnotation({ metadata, spec }: Ingress): FieldError[] {
  const annotation = metadata.annotations?.[CLASS_ANNOTATION];
  if (annotation === undefined || spec.ingressClassName === undefined || annotation === spec.ingressClassName)
    return [];
  return [
    invalidValue(
      Path.of('annotations', CLASS_ANNOTATION),
      annotation,
      'must match `ingressClassName` when both are specified',
    ),
  ];
}

export const validateIngressStatus = ({ status }: Ingress): FieldError[] =>
  validateEach(status.loadBalancer?.ingress, Path.of('status', 'loadBalancer', 'ingress'), (point, path) => [
    ...validateOptionalText(path.child('ip'), point.ip, isIP),
    ...validateOptionalText(path.child('hostname'), point.hostname, isDNS1123Subdomain),
    ...(point.hostname ? notAnAddress(path.child('hostname'), point.hostname) : []),
  ]);

const isHost = (host: string): string[] =>
  host.includes('*') ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host);
const notAnAddress = (path: Path, host: string): FieldError[] =>
  isIP(host).length ? [] : [invalidValue(path, host, 'must be a DNS name, not an IP address')];

function validateRule(rule: IngressRule, path: Path): FieldError[] {
  const host = rule.host
    ? [...notAnAddress(path.child('host'), rule.host), ...invalidEach(path.child('host'), rule.host, isHost(rule.host))]
    : [];
  if (!rule.http) return host;
  const paths = path.child('http', 'paths');
  return [
    ...host,
    ...(rule.http.paths?.length ? validateEach(rule.http.paths, paths, validatePath) : [required(paths)]),
  ];
}

const validateTLS = (tls: IngressTLS, path: Path): FieldError[] => [
  ...validateEach(tls.hosts, path.child('hosts'), (host, at) => invalidEach(at, host, isHost(host))),
  ...validateOptionalText(path.child('secretName'), tls.secretName, isDNS1123Subdomain),
];

function validatePath(item: HTTPIngressPath, path: Path): FieldError[] {
  if (!item.pathType && item.pathType !== '') return [required(path.child('pathType'), 'pathType must be specified')];
  const at = path.child('path');
  const errors: FieldError[] = [];
  const text = item.path ?? '';
  const absolute = (): void =>
    void (text.startsWith('/') || errors.push(invalidValue(at, text, 'must be an absolute path')));
  if (item.pathType === 'Exact' || item.pathType === 'Prefix') {
    absolute();
    for (const s of BAD_SEQUENCES) if (text.includes(s)) errors.push(invalidValue(at, text, `must not contain '${s}'`));
    for (const s of BAD_SUFFIXES) if (text.endsWith(s)) errors.push(invalidValue(at, text, `cannot end with '${s}'`));
  } else if (item.pathType === 'ImplementationSpecific') {
    if (text) absolute();
  } else errors.push(notSupported(path.child('pathType'), item.pathType, PATH_TYPES));
  return [...errors, ...validateBackend(item.backend, path.child('backend'))];
}

function validateBackend(backend: IngressBackend | undefined, path: Path): FieldError[] {
  const { resource, service } = backend ?? {};
  if (resource && service) return [invalidValue(path, '', 'cannot set both resource and service backends')];
  if (service) return validateService(service, path);
  if (!resource) return [invalidValue(path, '', 'resource or service backend is required')];
  const at = path.child('resource');
  return [
    ...validateTextPointer(at.child('apiGroup'), resource.apiGroup, isDNS1123Subdomain),
    ...validateRequiredText(at.child('kind'), resource.kind, isPathSegmentName),
    ...validateRequiredText(at.child('name'), resource.name, isPathSegmentName),
  ];
}

function validateService(service: IngressServiceBackend, path: Path): FieldError[] {
  const errors = validateRequiredText(path.child('service', 'name'), service.name, isDNS1123Label);
  const { name, number } = service.port ?? {};
  const port = path.child('service', 'port');
  if (name && number) return [...errors, invalidValue(path, '', 'cannot set both port name & port number')];
  if (name) return [...errors, ...invalidEach(port.child('name'), name, isPortName(name))];
  if (number) return [...errors, ...invalidEach(port.child('number'), number, isPortNumber(number))];
  return [...errors, required(path, 'port name or number is required')];
}
