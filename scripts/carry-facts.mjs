#!/usr/bin/env node
// Carries published facts about Kubernetes' API into the form the engine uses: `node scripts/carry-facts.mjs FOLDER`.
// One record a definition; each field joins its JSON shape and its protobuf number. Run once per Kubernetes release.
import fs from 'node:fs';
import path from 'node:path';

const folder = process.argv[2];
if (!folder) {
  console.error('usage: node scripts/carry-facts.mjs FOLDER   (schema-*.json, protobuf-*.json, resources-*.json)');
  process.exit(2);
}
const read = (prefix) => JSON.parse(fs.readFileSync(path.join(folder, fs.readdirSync(folder).find((f) => f.startsWith(prefix))), 'utf8'));
const schema = read('schema');
const protobuf = read('protobuf');
const resources = read('resources');

/** 'io.k8s.api.core.v1.Pod' -> 'k8s.io.api.core.v1.Pod' (protobuf's spelling of the same name). */
const messageName = (definition) => definition.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_');

const sorted = (o) => Object.fromEntries(Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1)));

function field(shape, wire) {
  const out = { type: shape.type };
  for (const k of ['required', 'default', 'enum', 'listType', 'mapKeys', 'mapType', 'patchStrategy', 'patchMergeKey']) {
    if (shape[k] !== undefined) out[k] = shape[k];
  }
  if (wire) {
    out.number = wire[0];
    out.wire = wire[1];
  }
  return out;
}

const definitions = {};
for (const [name, d] of Object.entries(schema)) {
  const message = protobuf[messageName(name)] ?? {};
  const out = {};
  if (d.type) out.type = d.type;
  if (d.fields) out.fields = sorted(Object.fromEntries(Object.entries(d.fields).map(([f, s]) => [f, field(s, message[f])])));
  if (d['map-type'] ?? d.mapType) out.mapType = d['map-type'] ?? d.mapType;
  const gvk = d['group-version-kind'];
  if (gvk) out.gvk = gvk.map((g) => [g.group, g.version, g.kind]);
  definitions[name] = out;
}
const target = path.join(import.meta.dirname, '../libs/engine/schema/facts');
fs.mkdirSync(target, { recursive: true });
const body = (o, indent) => '{\n' + Object.entries(sorted(o)).map(([k, v]) => `${indent}${JSON.stringify(k)}: ${JSON.stringify(v)}`).join(',\n') + '\n}\n';
fs.writeFileSync(path.join(target, 'definitions.json'), body(definitions, ' '));
const byResource = Object.fromEntries(resources.map((r) => [`${r.group}/${r.version}/${r.resource}`, { kind: r.kind, namespaced: r.namespaced, actions: r.actions }]));
fs.writeFileSync(path.join(target, 'resources.json'), body(byResource, ' '));
const extra = Object.fromEntries(Object.entries(protobuf).filter(([k]) => k.startsWith('k8s.io.apimachinery.')));
fs.writeFileSync(path.join(target, 'messages.json'), body(extra, ' '));
