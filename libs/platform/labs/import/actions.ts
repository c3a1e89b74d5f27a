import { parse } from 'yaml';
import { findFences, replaceFences } from './fences.js';
import { isRecord, textOf, type LabWriter } from './imported.js';

const EXEC = '{{exec}}';
const COPY = '{{copy}}';
/** They only show something, or tidy up: a page without them says the same. */
const SHOWN = new Set([
  'editor:open-file',
  'editor:close-file',
  'dashboard:open-dashboard',
  'dashboard:reload-dashboard',
]);

/** What the clickable actions of a page ask for. */
export interface Page {
  readonly text: string;
  /** Names of the examiner's tests, with their arguments. */
  readonly tests: readonly (readonly string[])[];
}

/** A page of Educates with a lab's marks in place of its clickable actions. */
export function readPage(writer: LabWriter, page: string, where: string): Page {
  const tests: string[][] = [];
  const fences = findFences(page, (tail) => tail === '').filter(({ info }) => isAction(info));
  const text = replaceFences(page, fences, ({ indent, fence, info, body }) => {
    const made = actOn(writer, info, body, where, tests);
    return made === undefined ? '' : block(indent, fence, made.text, made.mark);
  });
  return { text, tests };
}

const isAction = (info: string): boolean =>
  /^[a-z]+:[a-z-]+$/.test(info) || /^(execute(-\d|-all)?|copy(-and-edit)?)$/.test(info);

interface Made {
  readonly text: string;
  readonly mark: string;
}

function actOn(writer: LabWriter, action: string, body: string, where: string, tests: string[][]): Made | undefined {
  if (/^execute(-\d|-all)?$/.test(action)) return { text: body, mark: EXEC };
  if (/^copy(-and-edit)?$/.test(action)) return { text: body, mark: COPY };
  const fields = fieldsOf(body);
  const given = (name: string): string => textOf(fields[name]) ?? '';
  switch (action) {
    case 'terminal:execute':
    case 'terminal:execute-all':
      return { text: given('command'), mark: EXEC };
    case 'terminal:input':
      return { text: given('text'), mark: EXEC };
    case 'workshop:copy':
    case 'workshop:copy-and-edit':
      return { text: given('text'), mark: COPY };
    case 'editor:create-file':
      return { text: heredoc('>', given('file'), given('text')), mark: EXEC };
    case 'editor:append-lines-to-file':
      return { text: heredoc('>>', given('file'), given('text')), mark: EXEC };
    case 'examiner:execute-test':
      return addTest(writer, fields, where, tests);
    default:
      writer.note(`${where}: the action ${action} ${SHOWN.has(action) ? 'is left out' : 'is shown as text'}`);
      return SHOWN.has(action) ? undefined : { text: body, mark: '' };
  }
}

function addTest(writer: LabWriter, fields: Record<string, unknown>, where: string, tests: string[][]): undefined {
  const args = Array.isArray(fields['args']) ? fields['args'].map(String) : [];
  writer.noteUnknown(fields, ['name', 'title', 'args', 'prefix', 'description'], `${where}: examiner:execute-test`);
  tests.push([textOf(fields['name']) ?? '', ...args]);
  return undefined;
}

function fieldsOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = parse(body, { logLevel: 'silent' });
    return isRecord(value) ? value : {};
  } catch {
    // An author's mistake in one action is no reason to give up the workshop: it is told as an action without fields.
    return {};
  }
}

/** A delimiter that the text does not have. */
function heredoc(sign: string, file: string, text: string): string {
  let end = 'EOF';
  while (text.split('\n').includes(end)) end += '_';
  return `cat ${sign} ${file} <<'${end}'\n${text.trimEnd()}\n${end}`;
}

function block(indent: string, fence: string, text: string, mark: string): string {
  const lines = text.trimEnd().split('\n');
  return [`${indent}${fence}`, ...lines.map((line) => `${indent}${line}`), `${indent}${fence}${mark}`].join('\n');
}
