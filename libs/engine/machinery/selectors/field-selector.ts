import { badRequest } from '../meta/status.js';

/** Terms of a field selector: 'status.phase!=Running,metadata.name=a'. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Models apimachinery/pkg/fields ParseSelector; throws 400. */
export function parseFieldSelector(text: string): FieldTerm[] {
  return splitTerms(text).map((term) => {
    const found = /^((?:\\.|[^\\=!])*?)(!=|==|=)((?:\\.|[^\\])*)$/s.exec(term);
    if (!found) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    return { field: found[1]!, equal: found[2] !== '!=', value: unescapeValue(found[3]!, text) };
  });
}

function splitTerms(text: string): string[] {
  const terms = text.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? [];
  if (terms.length > MAX_TERMS) throw badRequest(`invalid selector: more than ${MAX_TERMS} terms`);
  return terms;
}

const MAX_TERMS = 1_000;

function unescapeValue(value: string, text: string): string {
  const escaped = /\\(?:[^\\,=]|$)/s.exec(value)?.[0];
  if (escaped) throw badRequest(`invalid field selector: invalid escape sequence: ${escaped}`);
  const bad = /^[^\\]*?(?<!\\)=/s.exec(value);
  if (bad) throw badRequest(`invalid selector: '${text}'; can't understand '${value}'`);
  return value.replace(/\\([\\,=])/g, '$1');
}
