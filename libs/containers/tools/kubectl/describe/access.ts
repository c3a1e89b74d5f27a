import type { ApiObject, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details } from './parts/details.js';

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs?: readonly string[];
}
interface Row {
  readonly group: string;
  readonly resource: string;
  readonly url: string;
  readonly name: string;
  verbs: string[];
}
interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

function describeHead(details: Details, { metadata = {} }: ApiObject): void {
  details.field(0, 'Name', metadata.name ?? '');
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
}

const list = (words: readonly string[]): string => `[${words.join(' ')}]`;

/** Models k8s.io/kubectl/pkg/describe describeRole, with the rules broken down and compacted as there. */
export function describeRole(_session: Session, details: Details, object: ApiObject): void {
  describeHead(details, object);
  details.line(0, 'PolicyRule:');
  details.line(1, 'Resources\tNon-Resource URLs\tResource Names\tVerbs');
  details.line(1, '---------\t-----------------\t--------------\t-----');
  const rows = new Map<string, Row>();
  for (const rule of (object['rules'] ?? []) as readonly Rule[]) for (const row of rowsOf(rule)) add(rows, row);
  const sorted = [...rows.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  for (const { resource, group, url, name, verbs } of sorted)
    details.line(1, `${withGroup(resource, group)}\t[${url}]\t[${name}]\t${list(verbs)}`);
}

/** As a rule prints itself, by which they are sorted. */
const orderOf = ({ verbs, group, resource, name, url }: Row): string =>
  `Verbs:${list(verbs)},APIGroups:[${group}],Resources:[${resource}],ResourceNames:[${name}],NonResourceURLs:[${url}],`;

function add(rows: Map<string, Row>, row: Row): void {
  const key = [row.group, row.resource, row.name, row.url].join('\t');
  const known = rows.get(key);
  if (known) known.verbs = [...known.verbs, ...row.verbs];
  else rows.set(key, row);
}

function rowsOf({ apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs = [] }: Rule): Row[] {
  const row = (group: string, resource: string, name: string, url: string): Row => ({
    ...{ group, resource, name, url, verbs: [...verbs] },
  });
  const names = resourceNames.length === 0 ? [''] : resourceNames;
  return [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) => names.map((name) => row(group, resource, name, ''))),
    ),
    ...nonResourceURLs.map((url) => row('', '', '', url)),
  ];
}

/** 'deployments.apps', 'deployments.apps/scale'. */
function withGroup(resource: string, group: string): string {
  if (group === '') return resource;
  const [name = '', ...rest] = resource.split('/');
  return [`${name}.${group}`, ...rest].join('/');
}

/** Models k8s.io/kubectl/pkg/describe describeRoleBinding. */
export function describeBinding(_session: Session, details: Details, object: ApiObject): void {
  describeHead(details, object);
  const { kind, name } = object['roleRef'] as { kind: string; name: string };
  details.line(0, 'Role:');
  details.field(1, 'Kind', kind);
  details.field(1, 'Name', name);
  details.line(0, 'Subjects:');
  details.line(1, 'Kind\tName\tNamespace');
  details.line(1, '----\t----\t---------');
  for (const subject of (object['subjects'] ?? []) as readonly Subject[])
    details.line(1, `${subject.kind}\t${subject.name}\t${subject.namespace ?? ''}`);
}
