import { KubectlFailure } from '../session/failure.js';
import type { ApiObject, Session } from '../session/session.js';
import { shownResource, type ServerResource } from '../discovery/resources.js';
import { formatColumns, parseColumnFile, parseColumns } from './columns.js';
import { printTemplate, printTemplateJson } from './jsonpath.js';
import { sortKeys } from './sort-keys.js';
import { runGoTemplate, TemplateFailure } from './template.js';
import { printValue, withInts } from '../../go-template/values.js';
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
  const isTemplate = text === '' && session.flags.value('template') !== '';
  const name = isTemplate ? 'go-template' : at < 0 ? text : text.slice(0, at);
  const argument = at < 0 ? session.flags.value('template') : text.slice(at + 1);
  const allowed = tables
    ? FORMATS
    : FORMATS.split(',')
        .filter((one) => !/^custom|^wide/.test(one))
        .join(',');
  if (name === 'kyaml') throw new KubectlFailure('output format "kyaml" is not simulated');
  if (name !== '' && !allowed.split(',').includes(name))
    throw new KubectlFailure(
      `unable to match a printer suitable for the output format "${text}", allowed formats are: ${allowed}`,
    );
  if (/^jsonpath|template/.test(name) && argument === '')
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
      return printTemplateJson(format.argument, shown, allowsMissing(session));
    case 'jsonpath-file':
      return template(session, session.readFile(format.argument), shown);
    case 'go-template':
    case 'template':
      return goTemplate(session, format.argument, shown);
    case 'go-template-file':
    case 'templatefile':
      return goTemplate(session, session.readFile(format.argument), shown);
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
  printTemplate(text, object, allowsMissing(session));

const allowsMissing = ({ flags }: Session): boolean => flags.value('allow-missing-template-keys') !== 'false';

/** Models k8s.io/cli-runtime/pkg/printers/template.go. */
function goTemplate(session: Session, text: string, object: ApiObject): string {
  try {
    return runGoTemplate(text, object, allowsMissing(session));
  } catch (error) {
    if (!(error instanceof TemplateFailure)) throw error;
    session.out(
      `${error.output}Error executing template: ${error.message}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${text}\n\traw data was:\n\t\t${JSON.stringify(sortKeys(object))}\n\tobject given to template engine was:\n\t\t${printValue(withInts(object))}\n\n`,
    );
    throw new KubectlFailure(`error executing template ${JSON.stringify(text)}: ${error.message}`);
  }
}

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
