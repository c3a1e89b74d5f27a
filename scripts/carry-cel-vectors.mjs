#!/usr/bin/env node
// Carries google/cel-spec's conformance vectors into JSON that cel/conformance/conformance.spec.ts runs.
// Usage: node scripts/carry-cel-vectors.mjs FOLDER, the folder with the *.textproto files of tests/simple/testdata.
import fs from 'node:fs';
import path from 'node:path';

const target = path.join(import.meta.dirname, '../libs/engine/machinery/cel/conformance/vectors');

/**
 * Protobuf messages, enums and their extensions are no part of Kubernetes' CEL, nor are the libraries bindings,
 * encoders and math (apiserver/pkg/cel/environment/base.go); block is an optimizer's own macro.
 */
const LEFT_OUT =
  /^(bindings_ext|block_ext|dynamic|encoders_ext|enums|math_ext|proto2|proto2_ext|proto3|unknowns|wrappers)$/;

/** Parses protobuf's text format into objects whose fields are lists of values. */
function parseTextProto(text) {
  const tokens = text.match(/#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[[\w./]+\]|[{}<>:;,[\]]|[^\s{}<>:;,[\]"']+/g);
  const words = tokens.filter((token) => !token.startsWith('#'));
  let at = 0;
  const message = (end) => {
    const fields = {};
    while (at < words.length && words[at] !== end) {
      const name = words[at++];
      if (words[at] === ':') at++;
      for (const value of values()) (fields[name] ??= []).push(value);
      if (words[at] === ',' || words[at] === ';') at++;
    }
    at++;
    return fields;
  };
  const values = () => {
    if (words[at] !== '[') return [value()];
    at++;
    const list = [];
    while (words[at] !== ']') {
      list.push(value());
      if (words[at] === ',') at++;
    }
    at++;
    return list;
  };
  const value = () => {
    const word = words[at++];
    if (word === '{' || word === '<') return message(word === '{' ? '}' : '>');
    if (!/^["']/.test(word)) return word;
    const parts = [unescape(word)];
    while (/^["']/.test(words[at] ?? '')) parts.push(unescape(words[at++]));
    return { bytes: Buffer.concat(parts) };
  };
  return message(undefined);
}

const SIMPLE = { n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11, '\\': 92, "'": 39, '"': 34, '?': 63 };

/** The bytes of a quoted string. */
function unescape(quoted) {
  const parts = [];
  for (const [, escape, plain] of quoted
    .slice(1, -1)
    .matchAll(/\\([0-7]{1,3}|[xX][0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|([^\\]+)/gs)) {
    if (plain !== undefined) parts.push(Buffer.from(plain));
    else if (/^[0-7]/.test(escape)) parts.push(Buffer.from([parseInt(escape, 8)]));
    else if (/^[xX]/.test(escape)) parts.push(Buffer.from([parseInt(escape.slice(1), 16)]));
    else if (/^[uU]./.test(escape)) parts.push(Buffer.from(String.fromCodePoint(parseInt(escape.slice(1), 16))));
    else parts.push(Buffer.from([SIMPLE[escape] ?? escape.codePointAt(0)]));
  }
  return Buffer.concat(parts);
}

const textOf = (field) => field?.[0]?.bytes?.toString('utf8');

/** A cel.expr.Value: `{ int: "1" }`, `{ list: [...] }`; undefined for messages. */
function toValue(value) {
  const [[field, [content]]] = Object.entries(value);
  switch (field) {
    case 'int64_value':
      return { int: String(BigInt(content)) };
    case 'uint64_value':
      return { uint: String(BigInt(content)) };
    case 'double_value':
      return { double: String(content).toLowerCase() };
    case 'bool_value':
      return { bool: content === 'true' };
    case 'null_value':
      return { null: true };
    case 'string_value':
      return { string: content.bytes.toString('utf8') };
    case 'bytes_value':
      return { bytes: content.bytes.toString('base64') };
    case 'type_value':
      return { type: content.bytes.toString('utf8') };
    case 'list_value':
      return collect((content.values ?? []).map(toValue), (list) => ({ list }));
    case 'map_value':
      return collect(
        (content.entries ?? []).flatMap((entry) => [toValue(entry.key[0]), toValue(entry.value[0])]),
        (flat) => ({ map: flat.flatMap((key, i) => (i % 2 === 0 ? [[key, flat[i + 1]]] : [])) }),
      );
    default:
      return undefined;
  }
}

const collect = (values, make) => (values.includes(undefined) ? undefined : make(values));

/** A cel.expr.Type: 'int', { list: type }, { map: [key, value] }; undefined for messages. */
function toType(type) {
  const [[field, [content]]] = Object.entries(type);
  switch (field) {
    case 'primitive':
      return { BOOL: 'bool', INT64: 'int', UINT64: 'uint', DOUBLE: 'double', STRING: 'string', BYTES: 'bytes' }[
        content
      ];
    case 'well_known':
      return { TIMESTAMP: 'timestamp', DURATION: 'duration', ANY: 'dyn' }[content];
    case 'dyn':
      return 'dyn';
    case 'null':
      return 'null';
    case 'list_type':
      return collect([content.elem_type ? toType(content.elem_type[0]) : 'dyn'], ([list]) => ({ list }));
    case 'map_type':
      return collect([toType(content.key_type[0]), toType(content.value_type[0])], (map) => ({ map }));
    default:
      return undefined;
  }
}

/** One vector, or why it is left out. */
function toVector(section, test) {
  const vector = { section, name: textOf(test.name), expr: textOf(test.expr) };
  if (test.container) return 'a container of names';
  if (test.locale) return 'a locale';
  const bindings = (test.bindings ?? []).map(({ key, value }) => [
    textOf(key),
    value[0].value && toValue(value[0].value[0]),
  ]);
  if (bindings.some(([, value]) => value === undefined)) return 'a message';
  if (bindings.length) vector.bindings = Object.fromEntries(bindings);
  const declared = (test.type_env ?? []).map(({ name, ident }) => [
    textOf(name),
    ident?.[0].type && toType(ident[0].type[0]),
  ]);
  if (declared.some(([, type]) => type === undefined)) return 'a declared function or message';
  if (declared.length) vector.variables = Object.fromEntries(declared);
  if (test.disable_check?.[0] === 'true') vector.unchecked = true;
  if (test.eval_error) return { ...vector, error: textOf(test.eval_error[0].errors[0].message) };
  if (test.unknown || test.any_unknowns) return 'unknown values';
  const result = test.typed_result?.[0];
  if (result?.deduced_type && test.check_only) {
    const type = toType(result.deduced_type[0]);
    return type === undefined ? 'a message' : { ...vector, type };
  }
  const wanted = test.value ?? result?.result;
  if (!wanted) return { ...vector, value: { bool: true } };
  const value = toValue(wanted[0]);
  return value === undefined ? 'a message' : { ...vector, value };
}

const isOfMessages = ({ expr }) =>
  /\b(TestAllTypes|google\.|cel\.expr|NestedTestAllTypes|GlobalEnum|proto\.)/.test(expr ?? '');

fs.mkdirSync(target, { recursive: true });
const [folder] = process.argv.slice(2);
for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.textproto'))) {
  const name = path.basename(file, '.textproto');
  if (LEFT_OUT.test(name)) continue;
  const { section = [] } = parseTextProto(fs.readFileSync(path.join(folder, file), 'utf8'));
  const vectors = [];
  const left = new Map();
  for (const { name: title, test = [] } of section) {
    for (const each of test) {
      const vector = toVector(textOf(title), each);
      const reason = typeof vector === 'string' ? vector : isOfMessages(vector) ? 'a message' : undefined;
      if (reason === undefined) vectors.push(vector);
      else left.set(reason, (left.get(reason) ?? 0) + 1);
    }
  }
  if (vectors.length === 0) continue;
  fs.writeFileSync(
    path.join(target, `${name}.json`),
    `[\n${vectors.map((v) => `  ${JSON.stringify(v)}`).join(',\n')}\n]\n`,
  );
  const others = [...left].map(([reason, count]) => `${count} with ${reason}`).join(', ');
  console.log(`${name}: ${vectors.length} vectors${others && `; left out ${others}`}`);
}
