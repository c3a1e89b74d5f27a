import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter, type Diagnostic } from '@codemirror/lint';
import { StateEffect, type Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { styleNonce } from '../../../app/nonce.js';
import { t } from '../../../texts/texts.js';
import { checkYaml } from './check.js';
import type { Schema, Schemas } from './schema.js';
import type { SchemasOf } from './useSchemas.js';
import { kindOf, placeAt } from './yaml-path.js';

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent-strong)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--info)' },
  { tag: [tags.keyword, tags.meta, tags.labelName], color: 'var(--warn)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '12.5px' },
  '.cm-content, .cm-gutters': { fontFamily: 'var(--mono)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--quiet)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--sunken)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', border: '1px solid var(--line)', color: 'var(--text)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
  '.cm-changedLine': { backgroundColor: 'var(--good-soft) !important' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--bad-soft) !important' },
  '.cm-collapsedLines': { color: 'var(--quiet)', background: 'var(--sunken)' },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"…"' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft) !important' },
  '.cm-changedText': { background: 'none !important', fontWeight: '600' },
});

/** YAML in the page's colours. */
export const yamlLook = (): Extension => [
  yaml(),
  syntaxHighlighting(highlight),
  theme,
  EditorView.cspNonce.of(styleNonce()),
];

const newSchemas = StateEffect.define();

/** Looks for errors again: by schemas that have come, or because somebody begins to write. */
export const lintAgain = (view: EditorView): void => view.dispatch({ effects: newSchemas.of(null) });

/**
 * Completion, documentation and errors by the cluster's own schemas. Errors of what nobody has touched need none: it
 * is as the cluster has it.
 */
export const yamlHelp = (schemasOf: SchemasOf, isTouched: () => boolean): Extension => [
  autocompletion({ override: [(context) => complete(context, schemasOf)], icons: false }),
  hoverTooltip((view, offset) => explain(view, offset, schemasOf)),
  linter((view) => diagnose(view.state.doc.toString(), isTouched() ? schemasOf : () => undefined), {
    delay: 300,
    needsRefresh: ({ transactions }) => transactions.some(({ effects }) => effects.some((one) => one.is(newSchemas))),
  }),
];

function found(text: string, offset: number, schemasOf: SchemasOf) {
  const place = placeAt(text, offset);
  const { apiVersion, kind } = kindOf(place.document);
  const schemas = schemasOf(apiVersion);
  const root = schemas?.kind(apiVersion, kind);
  const parent = schemas && root && schemas.field(root, place.path);
  return { place, schemas, parent };
}

function complete(context: CompletionContext, schemasOf: SchemasOf): CompletionResult | null {
  const { place, schemas, parent } = found(context.state.doc.toString(), context.pos, schemasOf);
  if (!schemas || !parent) return null;
  if (place.key === undefined) {
    if (place.word === '' && !context.explicit) return null;
    return {
      from: place.from,
      options: Object.entries(parent.properties ?? {}).map((entry) => keyOption(schemas, parent, entry)),
    };
  }
  const schema = schemas.child(parent, place.key);
  const values = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : []);
  return values.length === 0 ? null : { from: place.from, options: values.map((value) => ({ label: String(value) })) };
}

function keyOption(schemas: Schemas, parent: Schema, [name, given]: [string, Schema]) {
  const schema = schemas.resolve(given);
  const isNested = schema.type === 'object' || schema.items !== undefined || schema.properties !== undefined;
  return {
    label: name,
    detail: schemas.typeName(schema),
    apply: isNested ? `${name}:` : `${name}: `,
    boost: parent.required?.includes(name) ? 10 : 0,
    ...(schema.description ? { info: () => docOf(schemas, name, schema) } : {}),
  };
}

function explain(view: EditorView, offset: number, schemasOf: SchemasOf): Tooltip | null {
  const line = view.state.doc.lineAt(offset);
  const colon = line.text.indexOf(':');
  if (colon < 0 || offset > line.from + colon) return null;
  const { place, schemas, parent } = found(view.state.doc.toString(), line.from + colon + 1, schemasOf);
  const schema = place.key === undefined || !schemas || !parent ? undefined : schemas.child(parent, place.key);
  if (!schema) return null;
  return { pos: offset, above: true, create: () => ({ dom: docOf(schemas!, place.key!, schema) }) };
}

/** Text, never markup: descriptions of custom kinds are whatever somebody has written. */
function docOf(schemas: Schemas, name: string, schema: Schema): HTMLElement {
  const box = document.createElement('div');
  box.className = 'yaml-doc';
  const head = document.createElement('strong');
  head.textContent = `${name} <${schemas.typeName(schema)}>`;
  const words = document.createElement('p');
  words.textContent = [schema.description ?? '', schema.enum ? t.objects.oneOf(schema.enum.map(String).join(', ')) : '']
    .filter(Boolean)
    .join('\n');
  box.append(head, words);
  return box;
}

const diagnose = (text: string, schemasOf: SchemasOf): Diagnostic[] =>
  checkYaml(text, (apiVersion) => schemasOf(apiVersion), t.objects.problems);
