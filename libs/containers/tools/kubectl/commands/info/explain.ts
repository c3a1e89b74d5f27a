import { apiVersionOf, findResource, type ServerResource } from '../../discovery/resources.js';
import { KubectlFailure, PlainFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import type { Command, CommandGroup } from '../command.js';

/** A schema of OpenAPI v3, as far as it is shown. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}
type Schemas = Readonly<Record<string, Schema>>;

const WIDTH = 80;
const INDENT = '    ';
const MAX_DEPTH = 12;
const MAX_FIELDS = 3_000;

const explain: Command = {
  flags: ['api-version:', 'recursive', 'output:'],
  run(session) {
    const [path] = session.args;
    if (path === undefined)
      throw new KubectlFailure(
        'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.',
      );
    if (session.args.length > 1)
      throw new KubectlFailure(
        `We accept only this format: explain RESOURCE\nSee 'kubectl explain -h' for help and examples`,
      );
    const [type = '', ...fields] = path.split('.');
    const resource = findExplained(session, type);
    const { group } = resource;
    const at = `/openapi/v3/${group === '' ? 'api' : `apis/${group}`}/${resource.version}`;
    const document = session.get(at) as { components?: { schemas?: Schemas } };
    const schemas = document.components?.schemas ?? {};
    const root = Object.values(schemas).find((one) =>
      one['x-kubernetes-group-version-kind']?.some(
        (gvk) => gvk.kind === resource.kind && gvk.group === group && gvk.version === resource.version,
      ),
    );
    if (!root)
      throw new KubectlFailure(
        `GVR (${apiVersionOf(resource)}, Resource=${resource.plural}) not found in OpenAPI schema`,
      );
    session.out(
      `${group === '' ? '' : `GROUP:      ${group}\n`}KIND:       ${resource.kind}\nVERSION:    ${resource.version}\n\n`,
    );
    show(session, root, fields, schemas);
  },
};

function findExplained(session: Session, type: string): ServerResource {
  const version = session.flags.value('api-version');
  const found = findResource(
    session.resources.filter((one) => version === '' || apiVersionOf(one) === version),
    type,
  );
  if (!found) throw new PlainFailure(`the server doesn't have a resource type "${type}"`);
  return found;
}

/** The schema that a reference, or the one part of an allOf, leads to; the description nearest to the field wins. */
function resolve(schema: Schema, schemas: Schemas, depth = 0): Schema {
  const target = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]!.$ref : undefined);
  if (target === undefined || depth > MAX_DEPTH) return schema;
  const found = schemas[target.slice(target.lastIndexOf('/') + 1)];
  if (!found) return schema;
  const { description = found.description } = schema;
  return { ...resolve(found, schemas, depth + 1), ...(description === undefined ? {} : { description }) };
}

/** What a field's own fields stand in: a list's items, a map's values. */
function contentOf(schema: Schema, schemas: Schemas): Schema {
  const found = resolve(schema, schemas);
  if (found.items) return contentOf(found.items, schemas);
  if (typeof found.additionalProperties === 'object') return contentOf(found.additionalProperties, schemas);
  return found;
}

function typeName(schema: Schema, schemas: Schemas): string {
  const target = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]!.$ref : undefined);
  const found = target === undefined ? schema : resolve(schema, schemas);
  if (found.items) return `[]${typeName(found.items, schemas)}`;
  if (typeof found.additionalProperties === 'object')
    return `map[string]${typeName(found.additionalProperties, schemas)}`;
  const isScalar = found.properties === undefined && found.type !== undefined && found.type !== 'object';
  if (target !== undefined && !isScalar) return target.slice(target.lastIndexOf('.') + 1);
  if (found.type === undefined && found.properties) return 'Object';
  return found.type === 'object' ? 'Object' : (found.type ?? 'Object');
}

function show(session: Session, root: Schema, path: readonly string[], schemas: Schemas): void {
  let schema: Schema = root;
  let last: { readonly name: string; readonly schema: Schema } | undefined;
  for (const name of path) {
    const field = contentOf(schema, schemas).properties?.[name];
    if (!field) throw new KubectlFailure(`field "${name}" does not exist`);
    last = { name, schema: field };
    schema = field;
  }
  const own = contentOf(schema, schemas);
  const text = last ? resolve(last.schema, schemas).description : own.description;
  if (last) {
    const values = enumOf(resolve(last.schema, schemas));
    session.out(`FIELD: ${last.name} <${typeName(last.schema, schemas)}>\n${values === '' ? '\n' : values}\n`);
  }
  session.out(`DESCRIPTION:\n${wrap(text ?? '<empty>', INDENT)}`);
  const type = last ? contentOf(withoutDescription(last.schema), schemas).description : undefined;
  if (type !== undefined && type !== text) session.out(wrap(type, INDENT));
  session.out(`${INDENT}\n`);
  const fields = own.properties ?? {};
  if (Object.keys(fields).length > 0)
    session.out(`FIELDS:\n${fieldsOf(own, schemas, '  ', session.flags.isOn('recursive'), 0, { left: MAX_FIELDS })}`);
  session.out('\n');
}

/** What a field's type says of itself counts here, not what the field says of it. */
function withoutDescription({ description: _own, ...schema }: Schema): Schema {
  return schema;
}

function enumOf(schema: Schema): string {
  if (!schema.enum || schema.enum.length === 0) return '';
  return `ENUM:\n${schema.enum.map((one) => `    ${one === '' ? '""' : one}\n`).join('')}`;
}

function fieldsOf(
  schema: Schema,
  schemas: Schemas,
  indent: string,
  isRecursive: boolean,
  depth: number,
  bound: { left: number },
): string {
  const names = Object.keys(schema.properties ?? {}).sort();
  let text = '';
  for (const name of names) {
    if (bound.left-- <= 0) return text;
    const field = schema.properties![name]!;
    const isRequired = schema.required?.includes(name) === true;
    const found = resolve(field, schemas);
    text += `${indent}${name}\t<${typeName(field, schemas)}>${isRequired ? ' -required-' : ''}\n${enumLine(found, indent)}`;
    if (isRecursive) {
      if (depth < MAX_DEPTH)
        text += fieldsOf(contentOf(field, schemas), schemas, `${indent}  `, true, depth + 1, bound);
    } else text += `${wrap(found.description ?? '<no description>', `${indent}  `)}\n`;
  }
  return text;
}

const enumLine = (schema: Schema, indent: string): string =>
  schema.enum && schema.enum.length > 0
    ? `${indent}enum: ${schema.enum.map((one) => (one === '' ? '""' : one)).join(', ')}\n`
    : '';

/** Paragraphs that go no further than 80 columns. */
function wrap(text: string, indent: string): string {
  const width = WIDTH - indent.length;
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.trim().split(/\s+/)) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.map((line) => `${indent}${line}\n`).join('');
}

export const group: CommandGroup = { commands: { explain } };
