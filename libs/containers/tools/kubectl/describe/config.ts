import type { ApiObject, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details, sortedKeys } from './parts/details.js';
import { describeEvents } from './parts/events.js';

type Texts = Readonly<Record<string, string>>;

function describeHead(details: Details, { metadata = {} }: ApiObject, hasNamespace = true): void {
  details.field(0, 'Name', metadata.name ?? '');
  if (hasNamespace) details.field(0, 'Namespace', metadata.namespace ?? '');
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
}

export function describeConfigMap(session: Session, details: Details, object: ApiObject): void {
  describeHead(details, object);
  const [data, binary] = [(object['data'] ?? {}) as Texts, (object['binaryData'] ?? {}) as Texts];
  details.write(0, '\nData\n====\n');
  for (const key of sortedKeys(data)) details.write(0, `${key}:\n----\n${data[key]}\n\n`);
  details.write(0, '\nBinaryData\n====\n');
  for (const key of sortedKeys(binary)) details.write(0, `${key}: ${atob(binary[key]!).length} bytes\n`);
  details.write(0, '\n');
  describeEvents(session, details, object);
}

export function describeSecret(_session: Session, details: Details, object: ApiObject): void {
  describeHead(details, object);
  const data = (object['data'] ?? {}) as Texts;
  const type = String(object['type'] ?? '');
  details.write(0, `\nType:\t${type}\n\nData\n====\n`);
  for (const key of sortedKeys(data)) {
    const value = atob(data[key]!);
    const isToken = key === 'token' && type === 'kubernetes.io/service-account-token';
    details.field(0, key, isToken ? value : `${value.length} bytes`);
  }
}

export function describeNamespace(session: Session, details: Details, object: ApiObject): void {
  const { name = '' } = object.metadata ?? {};
  describeHead(details, object, false);
  details.field(0, 'Status', (object['status'] as { phase?: string } | undefined)?.phase ?? '');
  const quotas = session.get(`/api/v1/namespaces/${name}/resourcequotas`)['items'] as readonly ApiObject[];
  details.write(0, '\n');
  if (quotas.length === 0) details.line(0, 'No resource quota.');
  else describeQuotas(details, quotas);
  const ranges = session.get(`/api/v1/namespaces/${name}/limitranges`)['items'] as readonly ApiObject[];
  details.write(0, '\n');
  if (ranges.length === 0) details.line(0, 'No LimitRange resource.');
  else describeRanges(details, ranges);
}

function describeQuotas(details: Details, quotas: readonly ApiObject[]): void {
  details.write(0, 'Resource Quotas');
  for (const quota of quotas) {
    const { hard = {}, used = {} } = (quota['status'] ?? {}) as { hard?: Texts; used?: Texts };
    details.write(0, `\n  Name:\t${quota.metadata?.name ?? ''}\n`);
    details.line(1, 'Resource\tUsed\tHard');
    details.line(1, '--------\t---\t---');
    for (const key of sortedKeys(hard)) details.line(1, `${key}\t${used[key] ?? '0'}\t${hard[key]}`);
  }
}

interface Limit extends Readonly<Record<string, unknown>> {
  readonly type: string;
}
const LIMITS = ['min', 'max', 'defaultRequest', 'default', 'maxLimitRequestRatio'];

const SCOPES: Texts = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

/** Models k8s.io/kubectl/pkg/describe describeQuota. */
export function describeQuota(_session: Session, details: Details, object: ApiObject): void {
  const { hard = {}, used = {} } = (object['status'] ?? {}) as { hard?: Texts; used?: Texts };
  const { scopes = [] } = (object['spec'] ?? {}) as { scopes?: readonly string[] };
  details.field(0, 'Name', object.metadata?.name ?? '');
  details.field(0, 'Namespace', object.metadata?.namespace ?? '');
  if (scopes.length > 0) details.field(0, 'Scopes', [...scopes].sort().join(', '));
  for (const scope of [...scopes].sort()) if (Object.hasOwn(SCOPES, scope)) details.line(0, ` * ${SCOPES[scope]}`);
  details.write(0, 'Resource\tUsed\tHard\n--------\t----\t----\n');
  for (const key of sortedKeys(hard)) details.line(0, `${key}\t${used[key] ?? '0'}\t${hard[key]}`);
}

/** Models k8s.io/kubectl/pkg/describe describeLimitRange. */
export function describeLimitRange(_session: Session, details: Details, object: ApiObject): void {
  details.field(0, 'Name', object.metadata?.name ?? '');
  details.field(0, 'Namespace', object.metadata?.namespace ?? '');
  details.write(0, 'Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio\n');
  details.write(0, '----\t--------\t---\t---\t---------------\t-------------\t-----------------------\n');
  for (const row of limitsOf(object)) details.write(0, `${row}\n`);
}

function describeRanges(details: Details, ranges: readonly ApiObject[]): void {
  details.write(
    0,
    'Resource Limits\n Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio\n',
  );
  details.write(0, ' ----\t--------\t---\t---\t---------------\t-------------\t-----------------------\n');
  for (const range of ranges) for (const row of limitsOf(range)) details.write(0, ` ${row}\n`);
}

/** Rows with tabs, one for each type and resource. */
function limitsOf(range: ApiObject): string[] {
  return (range['spec'] as { limits: readonly Limit[] }).limits.flatMap((limit) => {
    const parts = LIMITS.map((name) => (limit[name] ?? {}) as Texts);
    const names = [...new Set(parts.flatMap((part) => Object.keys(part)))].sort();
    return names.map((name) => `${limit.type}\t${name}\t${parts.map((part) => part[name] ?? '-').join('\t')}`);
  });
}

export function describeServiceAccount(session: Session, details: Details, object: ApiObject): void {
  describeHead(details, object);
  const secrets = ((object['imagePullSecrets'] ?? []) as readonly { name: string }[]).map(({ name }) => name);
  details.field(0, 'Image pull secrets', secrets.join('\n\t') || '<none>');
  describeEvents(session, details, object);
}
