#!/usr/bin/env node
// Writes what `kubectl explain` says of each field, out of the doc comments of @kubernetes/client-node's own
// declarations.
// They say nothing of a field that refers to a type; of those, kubernetes-types (an older release) does.
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const models = path.join(root, 'node_modules/@kubernetes/client-node/dist/gen/models');
const types = path.join(root, 'node_modules/kubernetes-types');
const target = path.join(root, 'libs/engine/schema/facts/descriptions.generated.ts');
const definitions = JSON.parse(fs.readFileSync(path.join(root, 'libs/engine/schema/facts/definitions.json'), 'utf8'));

const DOC = String.raw`/\*\*\n((?:[ \t]*\*(?!/).*\n)*)[ \t]*\*/\n`;
const upper = (s) => s[0].toUpperCase() + s.slice(1);

/** 'io.k8s.api.core.v1.Event' -> ['CoreV1Event', 'V1Event']: the package prefixes names that several groups have. */
function modelNames(definition) {
  const [group, version, name] = definition.split('.').slice(-3);
  return [`${upper(group)}${upper(version)}${name}`, `${upper(version)}${name}`];
}

const clean = (doc) =>
  doc
    .split('\n')
    .map((line) => line.replace(/^[ \t]*\* ?/, ''))
    .join('\n')
    .trim()
    .replace(/\\(["'`])/g, '$1')
    .replace(/\\n/g, '\n');

/** The package renames fields that are no identifiers ('_continue', '$ref'); the .js beside tells the names. */
function fieldNames(file) {
  const js = fs.readFileSync(file.replace(/\.d\.ts$/, '.js'), 'utf8');
  return new Map([...js.matchAll(/"name": "([^"]+)",\s*"baseName": "([^"]+)"/g)].map(([, name, base]) => [name, base]));
}

/** {'': of the type itself, field: of the field}. */
function describe(file) {
  const text = fs.readFileSync(file, 'utf8');
  const names = fieldNames(file);
  const out = {};
  const type = new RegExp(`${DOC}export declare class`).exec(text)?.[1];
  if (type && !type.includes('OpenAPI Generator')) out[''] = clean(type);
  for (const [, doc, field] of text.matchAll(new RegExp(`${DOC}\\s*'([^']+)'\\??:`, 'g')))
    out[names.get(field) ?? field] = clean(doc);
  return out;
}

/** 'io.k8s.api.core.v1.Pod' -> 'core/v1.d.ts', as kubernetes-types files them. */
function typesFile(definition) {
  const [group, version] = definition.split('.').slice(-3);
  const folder = definition.startsWith('io.k8s.apimachinery.pkg.apis.meta.') ? 'meta' : group;
  return path.join(types, folder, `${version}.d.ts`);
}

const bodies = new Map();
/** Field -> what kubernetes-types says of it. */
function describeOlder(definition) {
  const file = typesFile(definition);
  if (!bodies.has(file)) {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    bodies.set(
      file,
      new Map([...text.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name, body]) => [name, body])),
    );
  }
  const body = bodies.get(file).get(definition.split('.').at(-1)) ?? '';
  return Object.fromEntries(
    [...body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*"?([\w$-]+)"?\??:/g)].map(([, doc, field]) => [
      field,
      clean(doc),
    ]),
  );
}

const files = new Map(
  fs
    .readdirSync(models)
    .filter((f) => f.endsWith('.d.ts'))
    .map((f) => [f.slice(0, -'.d.ts'.length).toLowerCase(), f]),
);
const descriptions = {};
for (const name of Object.keys(definitions)) {
  const model = modelNames(name)
    .map((m) => files.get(m.toLowerCase()))
    .find(Boolean);
  if (!model) continue;
  const found = describe(path.join(models, model));
  const older = describeOlder(name);
  for (const field of Object.keys(definitions[name].fields ?? {}))
    if (found[field] === undefined && older[field]) found[field] = older[field];
  if (Object.keys(found).length > 0) descriptions[name] = found;
}

/**
 * Query and path parameters, as the API classes say of a kind that has every one of them; of a patch's, only what
 * differs.
 */
function describeParameters() {
  const text = fs.readFileSync(
    path.join(root, 'node_modules/@kubernetes/client-node/dist/gen/types/ObjectParamAPI.d.ts'),
    'utf8',
  );
  const entities = {
    '&#39;': "'",
    '&quot;': '"',
    '&#x60;': '`',
    '&#x3D;': '=',
    '&lt;': '<',
    '&gt;': '>',
    '&amp;': '&',
  };
  const plain = (doc) =>
    clean(doc)
      .split('\nDefaults to: ')[0]
      .split('\n@type')[0]
      .replace(/\\?(&[#\w]+;)/g, (all, entity) => entities[entity] ?? all);
  const of = (method) => {
    const body = new RegExp(`export interface CoreV1Api${method}Request \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text)[1];
    return Object.fromEntries(
      [...body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*_?(\w+)\??:/g)].map(([, doc, name]) => [name, plain(doc)]),
    );
  };
  const patch = of('PatchNamespacedConfigMap');
  const {
    body: _,
    name: __,
    ...all
  } = {
    ...of('DeleteCollectionNamespacedConfigMap'),
    ...of('ListNamespacedConfigMap'),
    ...of('CreateNamespacedConfigMap'),
    force: patch.force,
  };
  return { ...all, 'patch.fieldManager': patch.fieldManager };
}
descriptions['parameters'] = describeParameters();

const text = `// Generated by scripts/generate-descriptions.mjs; do not edit.\nexport const descriptionsJson = ${JSON.stringify(JSON.stringify(descriptions))};\n`;
if (!fs.existsSync(target) || fs.readFileSync(target, 'utf8') !== text) fs.writeFileSync(target, text);
