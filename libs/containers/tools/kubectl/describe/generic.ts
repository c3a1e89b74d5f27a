import { printGo } from '../output/columns.js';
import type { ApiObject, KubeJson, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details, type Level } from './parts/details.js';
import { describeEvents } from './parts/events.js';

const SKIPPED = [
  '.metadata.managedFields',
  '.metadata.name',
  '.metadata.namespace',
  '.metadata.labels',
  '.metadata.annotations',
];
const ACRONYMS = ['API', 'URL', 'UID', 'GUID'];
const MAX_DEPTH = 40;

/** Any object, field by field. Models k8s.io/kubectl/pkg/describe genericDescriber. */
export function describeAnything(session: Session, details: Details, object: ApiObject): void {
  const { metadata = {} } = object;
  details.field(0, 'Name', metadata.name ?? '');
  details.field(0, 'Namespace', metadata.namespace ?? '');
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
  describeFields(details, 0, object, '');
  describeEvents(session, details, object);
}

function describeFields(details: Details, level: number, content: KubeJson, path: string): void {
  if (level > MAX_DEPTH) return;
  for (const field of Object.keys(content).sort()) {
    const value = content[field];
    const at = `${path}.${field}`;
    if (SKIPPED.includes(at)) continue;
    const name = labelFor(field);
    if (Array.isArray(value)) {
      details.line(level as Level, `${name}:`);
      for (const child of value) {
        if (isMap(child)) describeFields(details, level + 1, child, at);
        else details.line((level + 1) as Level, printGo(child));
      }
    } else if (isMap(value)) {
      details.line(level as Level, `${name}:`);
      describeFields(details, level + 1, value, at);
    } else details.field(level as Level, name, printGo(value));
  }
}

const isMap = (value: unknown): value is KubeJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 'lastTransitionTime' -> 'Last Transition Time'. */
function labelFor(field: string): string {
  if (!/^[A-Za-z-]+$/.test(field)) return field;
  return field
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((part) => {
      if (ACRONYMS.includes(part.toUpperCase())) return part.toUpperCase();
      return part.toLowerCase() === part ? part[0]!.toUpperCase() + part.slice(1) : part;
    })
    .join(' ');
}
