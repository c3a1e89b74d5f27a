import { KubectlFailure } from '../session/failure.js';
import type { ApiObject, Session } from '../session/session.js';
import { shownResource, type ServerResource } from '../discovery/resources.js';
import { formatColumns, parseColumnFile, parseColumns } from './columns.js';
import { printTemplate } from './jsonpath.js';
import { sortKeys } from './sort-keys.js';
import { formatYaml } from './yaml.js';

const FORMATS =
  'custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,wide,yaml';

/** What `-o` asks for: 'jsonpath', and what stands behind its equals sign. */
export interface Format {
  readonly name: string;
  readonly argument: string;
}

/** Throws KubectlFailure for a format that is none. `tables`: the command prints tables, too. */
export function readFormat(session: Session, tables = false): Format {
  const text = session.flags.value('output');
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  const argument = at < 0 ? session.flags.value('template') : text.slice(at + 1);
  const allowed = tables
    ? FORMATS
    : FORMATS.split(',')
        .filter((one) => !/^custom|^wide/.test(one))
        .join(',');
  if (['go-template', 'go-template-file', 'template', 'templatefile', 'kyaml'].includes(name))
    throw new KubectlFailure(`output format "${name}" is not simulated`);
  if (name !== '' && !allowed.split(',').includes(name))
    throw new KubectlFailure(
      `unable to match a printer suitable for the output format "${text}", allowed formats are: ${allowed}`,
    );
  if (name.startsWith('jsonpath') && argument === '')
    throw new KubectlFailure('template format specified but no template given');
  return { name, argument };
}

/** Prints one object, or a list of kind List, in any format but a table's. */
export function printObject(session: Session, format: Format, object: ApiObject, resource?: ServerResource): string {
  const shown = session.flags.isOn('show-managed-fields') ? object : withoutManagedFields(object);
  switch (format.name) {
    case 'yaml':
      return formatYaml(shown);
    case 'json':
      return `${JSON.stringify(sortKeys(shown), null, 4)}\n`;
    case 'name':
      return itemsOf(object)
        .map((one) => `${nameOf(one, resource)}\n`)
        .join('');
    case 'jsonpath':
      return template(session, format.argument, shown);
    case 'jsonpath-as-json':
      return `${JSON.stringify([JSON.parse(template(session, format.argument, shown) || 'null')], null, 4)}\n`;
    case 'jsonpath-file':
      return template(session, session.readFile(format.argument), shown);
    case 'custom-columns':
      return formatColumns(parseColumns(format.argument), itemsOf(shown), session.flags.isOn('no-headers'));
    case 'custom-columns-file':
      return formatColumns(
        parseColumnFile(session.readFile(format.argument)),
        itemsOf(shown),
        session.flags.isOn('no-headers'),
      );
    default:
      throw new KubectlFailure(`output format "${format.name}" is not simulated`);
  }
}

const template = (session: Session, text: string, object: ApiObject): string =>
  printTemplate(text, object, session.flags.value('allow-missing-template-keys') !== 'false');

export const itemsOf = (object: ApiObject): readonly ApiObject[] =>
  Array.isArray(object['items']) ? (object['items'] as ApiObject[]) : [object];

/** `deployment.apps/web`. */
export function nameOf(object: ApiObject, resource?: ServerResource): string {
  const group = (object.apiVersion ?? '').includes('/') ? `.${object.apiVersion!.split('/')[0]}` : '';
  const kind = resource ? shownResource(resource) : `${(object.kind ?? '').toLowerCase()}${group}`;
  return `${kind}/${object.metadata?.name ?? ''}`;
}

/** An object, or the items of a list, as kubectl shows them by default. */
export function withoutManagedFields(object: ApiObject): ApiObject {
  const strip = (one: ApiObject): ApiObject => {
    if (one.metadata?.['managedFields'] === undefined) return one;
    const { managedFields: _managed, ...metadata } = one.metadata;
    return { ...one, metadata };
  };
  const items = object['items'];
  return Array.isArray(items) ? { ...strip(object), items: items.map((one: ApiObject) => strip(one)) } : strip(object);
}

export { sortKeys } from './sort-keys.js';
export { formatYaml } from './yaml.js';
