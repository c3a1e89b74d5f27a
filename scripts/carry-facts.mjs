#!/usr/bin/env node
// Carries published facts about Kubernetes' API into the form the engine uses: `node scripts/carry-facts.mjs FOLDER
// OPENAPI`. One record a definition; each field joins its JSON shape and its protobuf number. OPENAPI holds the
// documents of /openapi/v3, for what only they tell: defaults, enums, and what is not described. Run once per
// Kubernetes release.
import fs from 'node:fs';
import path from 'node:path';

const [folder, documents] = process.argv.slice(2);
if (!folder || !documents) {
  console.error(
    'usage: node scripts/carry-facts.mjs FOLDER OPENAPI   (schema-*.json, protobuf-*.json, resources-*.json; documents of /openapi/v3)',
  );
  process.exit(2);
}
const read = (prefix) =>
  JSON.parse(
    fs.readFileSync(
      path.join(
        folder,
        fs.readdirSync(folder).find((f) => f.startsWith(prefix)),
      ),
      'utf8',
    ),
  );
const schema = read('schema');
const protobuf = read('protobuf');
const resources = read('resources');

/** 'io.k8s.api.core.v1.Pod' -> 'k8s.io.api.core.v1.Pod' (protobuf's spelling of the same name). */
const messageName = (definition) => definition.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_');

const sorted = (o) => Object.fromEntries(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Messages that Go embeds, so that JSON shows their fields in the outer object. */
const EMBEDDED = new Set([
  'volumeSource',
  'handler',
  'ephemeralContainerCommon',
  'persistentVolumeSource',
  'localObjectReference',
  'ruleWithOperations',
  'rule',
  'ingressRuleValue',
  'deviceConfiguration',
]);
/**
 * JSON's and protobuf's spellings differ: 'uid' and 'uID', '$ref' and 'ref', 'x-kubernetes-map-type' and
 * 'xKubernetesMapType'.
 */
const plain = (name) => name.toLowerCase().replace(/[$-]/g, '');

/** The aggregator's numbers are in none of the published tables. Models kube-aggregator's generated.proto. */
const AGGREGATOR = 'k8s.io.kube_aggregator.pkg.apis.apiregistration.v1.';
const META = '.k8s.io.apimachinery.pkg.apis.meta.v1.';
for (const [name, message] of Object.entries({
  APIService: { metadata: [1, `${META}ObjectMeta`], spec: [2, 'APIServiceSpec'], status: [3, 'APIServiceStatus'] },
  APIServiceCondition: {
    type: [1, 'string'],
    status: [2, 'string'],
    lastTransitionTime: [3, `${META}Time`],
    reason: [4, 'string'],
    message: [5, 'string'],
  },
  APIServiceList: { metadata: [1, `${META}ListMeta`], items: [2, 'APIService'] },
  APIServiceSpec: {
    service: [1, 'ServiceReference'],
    group: [2, 'string'],
    version: [3, 'string'],
    insecureSkipTLSVerify: [4, 'bool'],
    caBundle: [5, 'bytes'],
    groupPriorityMinimum: [7, 'int32'],
    versionPriority: [8, 'int32'],
  },
  APIServiceStatus: { conditions: [1, 'APIServiceCondition'] },
  ServiceReference: { namespace: [1, 'string'], name: [2, 'string'], port: [3, 'int32'] },
}))
  protobuf[AGGREGATOR + name] ??= message;

/** [number, type] of a JSON field, and the numbers of the embedded messages that it lies within. */
function wireOf(message, name, within = []) {
  const fields = protobuf[message] ?? {};
  const own = fields[name] ?? Object.entries(fields).find(([f]) => plain(f) === plain(name))?.[1];
  if (own) return { wire: own, within };
  for (const [f, [number, type]] of Object.entries(fields)) {
    if (!EMBEDDED.has(f)) continue;
    const inner = type.startsWith('.') ? type.slice(1) : `${message.slice(0, message.lastIndexOf('.'))}.${type}`;
    const found = wireOf(inner, name, [...within, number]);
    if (found) return found;
  }
  return undefined;
}

const served = Object.assign(
  {},
  ...fs
    .readdirSync(documents)
    .map((f) => JSON.parse(fs.readFileSync(path.join(documents, f), 'utf8')).components?.schemas),
);

/** What the documents tell of a field: enums, and defaults of the value and of a list's or map's elements. */
function servedField(name, field) {
  const shown = served[name]?.properties?.[field];
  if (!shown) return {};
  const element = shown.items ?? shown.additionalProperties;
  const plain = shown.$ref && Object.keys(shown).length === 1;
  return {
    default: shown.default,
    elementDefault: element?.default,
    enum: shown.enum ?? element?.enum,
    plain: plain || undefined,
  };
}

/** The order of a definition's required fields, where it is not that of the protobuf numbers. */
function requiredOrder(name, fields) {
  const shown = served[name]?.required ?? [];
  const place = (f) => fields[f]?.within?.[0] ?? fields[f]?.number ?? 0;
  return shown.some((f, i) => i > 0 && place(f) < place(shown[i - 1])) ? { requiredOrder: shown } : {};
}

function field(shape, found, shown) {
  const out = { type: shape.type };
  for (const k of ['required', 'listType', 'mapKeys', 'mapType', 'patchStrategy', 'patchMergeKey']) {
    if (shape[k] !== undefined) out[k] = shape[k];
  }
  for (const [k, v] of Object.entries(shown)) if (v !== undefined) out[k] = v;
  if (found) {
    if (found.within.length > 0) out.within = found.within;
    out.number = found.wire[0];
    out.wire = found.wire[1];
  }
  return out;
}

const definitions = {};
for (const [name, d] of Object.entries(schema)) {
  const out = {};
  if (d.type) out.type = d.type;
  if (d.fields)
    out.fields = sorted(
      Object.fromEntries(
        Object.entries(d.fields).map(([f, s]) => [f, field(s, wireOf(messageName(name), f), servedField(name, f))]),
      ),
    );
  if (out.fields) Object.assign(out, requiredOrder(name, out.fields));
  if (d['map-type'] ?? d.mapType) out.mapType = d['map-type'] ?? d.mapType;
  const gvk = d['group-version-kind'];
  if (gvk) out.gvk = gvk.map((g) => [g.group, g.version, g.kind]);
  definitions[name] = out;
}
const target = path.join(import.meta.dirname, '../libs/engine/schema/facts');
fs.mkdirSync(target, { recursive: true });
const body = (o, indent) =>
  '{\n' +
  Object.entries(sorted(o))
    .map(([k, v]) => `${indent}${JSON.stringify(k)}: ${JSON.stringify(v)}`)
    .join(',\n') +
  '\n}\n';
fs.writeFileSync(path.join(target, 'definitions.json'), body(definitions, ' '));
const byResource = Object.fromEntries(
  resources.map((r) => [
    `${r.group}/${r.version}/${r.resource}`,
    { kind: r.kind, namespaced: r.namespaced, actions: r.actions },
  ]),
);
fs.writeFileSync(path.join(target, 'resources.json'), body(byResource, ' '));
