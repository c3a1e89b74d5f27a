import { textOf } from '../../../../engine/kernel/bytes.js';
import { type Frame, INVERSE, PLAIN } from '../core/screen.js';
import { columnOf, expandLine } from '../core/text.js';
import { lineOf, type NanoState } from './state.js';

type Keys = readonly (readonly [key: string, name: string])[];

/** In the order of columns: the upper one, the lower one. */
const MAIN: Keys = [
  ...([
    ['^G', 'Help'],
    ['^X', 'Exit'],
    ['^O', 'Write Out'],
    ['^R', 'Read File'],
    ['^W', 'Where Is'],
    ['^\\', 'Replace'],
  ] as const),
  ...([
    ['^K', 'Cut'],
    ['^U', 'Paste'],
    ['^T', 'Execute'],
    ['^J', 'Justify'],
    ['^C', 'Location'],
    ['^/', 'Go To Line'],
  ] as const),
  ...([
    ['M-U', 'Undo'],
    ['M-E', 'Redo'],
    ['M-A', 'Set Mark'],
    ['M-6', 'Copy'],
    ['M-]', 'To Bracket'],
    ['^Q', 'Where Was'],
  ] as const),
];
const CANCEL: Keys = [
  ['^G', 'Help'],
  ['^C', 'Cancel'],
];
const SEARCH: Keys = [
  ...CANCEL,
  ['M-C', 'Case Sens'],
  ['M-R', 'Reg.exp.'],
  ['M-B', 'Backwards'],
  ['^R', 'Replace'],
  ['^P', 'Older'],
  ['^N', 'Newer'],
  ['^T', 'Go To Line'],
];
const ASKING: Readonly<Record<string, Keys>> = {
  write: [
    ...CANCEL,
    ['M-D', 'DOS Format'],
    ['M-M', 'Mac Format'],
    ['M-A', 'Append'],
    ['M-P', 'Prepend'],
    ['M-B', 'Backup File'],
    ['^T', 'Browse'],
  ],
  search: SEARCH,
  replace: [
    ...CANCEL,
    ['M-C', 'Case Sens'],
    ['M-R', 'Reg.exp.'],
    ['M-B', 'Backwards'],
    ['^R', 'No Replace'],
    ['^P', 'Older'],
    ['^N', 'Newer'],
    ['^T', 'Go To Line'],
  ],
  'replace-with': [...CANCEL, ['^P', 'Older'], ['^N', 'Newer']],
  goto: [
    ...CANCEL,
    ['^W', 'Begin of Paragr.'],
    ['^O', 'End of Paragraph'],
    ['^Y', 'First Line'],
    ['^V', 'Last Line'],
    ['^T', 'Go To Text'],
  ],
  read: [...CANCEL, ['M-F', 'New Buffer'], ['M-N', 'No Conversion'], ['^X', 'Execute Command'], ['^T', 'Browse']],
};

/** Rows that show text: below the title and above three rows of help. */
export const textRows = (state: NanoState): number => Math.max(1, state.rows - 4);

const gutterOf = ({ showsNumbers, buffer }: NanoState): number =>
  showsNumbers ? Math.max(2, String(buffer.lines.length).length) + 1 : 0;

/** The screen of a nano. */
export function drawNano(state: NanoState): Frame {
  const height = textRows(state);
  if (state.line < state.top || state.line >= state.top + height) {
    const isNear = state.line === state.top - 1 || state.line === state.top + height;
    state.top = isNear
      ? state.line < state.top
        ? state.line
        : state.line - height + 1
      : state.line - Math.floor(height / 2);
  }
  state.top = Math.max(0, state.top);
  const gutter = gutterOf(state);
  const width = Math.max(2, state.columns - gutter);
  const column = columnOf(lineOf(state), state.at, state.tabSize);
  const rows = [inverse(titleOf(state))];
  for (let i = 0; i < height; i++) rows.push(textRow(state, state.top + i, gutter, width, column));
  const place = pageStart(column, width);
  rows.push(statusRow(state));
  const { question } = state;
  const isChoice = question !== null && ['save-changes', 'rename', 'replace-this'].includes(question.kind);
  rows.push(
    ...(isChoice
      ? choiceRows(question.kind)
      : helpRows(question === null ? MAIN : (ASKING[question.kind] ?? CANCEL), state.columns)),
  );
  if (question !== null) {
    const at = question.label.length + (isChoice ? 1 : 2) + question.answer.length;
    return { rows, row: state.rows - 3, column: Math.min(state.columns - 1, at) };
  }
  return { rows, row: 1 + state.line - state.top, column: gutter + column - place };
}

const inverse = (text: string): string => `${INVERSE}${text}${PLAIN}`;

function titleOf({ path, buffer, columns, isView }: NanoState): string {
  const name = path === '' ? 'New Buffer' : textOf(path);
  const version = '  GNU nano 7.2';
  const start = Math.max(version.length + 1, 15 + Math.floor((columns - 26 - name.length) / 2));
  const state = isView ? 'View' : buffer.changes !== 0 ? 'Modified' : '';
  const left = `${version.padEnd(start)}${name}`;
  if (state === '') return left.slice(0, columns).padEnd(columns);
  const isWide = left.length + state.length + 3 <= columns;
  const whole = isWide ? `${left.padEnd(columns - state.length - 2)}${state}  ` : `${left} *`;
  return whole.slice(0, columns).padEnd(columns);
}

/** Nano turns pages within a line that is longer than the screen. */
function pageStart(column: number, width: number): number {
  if (column + 1 < width) return 0;
  return column - 7 - ((column - 7) % Math.max(1, width - 8));
}

function textRow(state: NanoState, line: number, gutter: number, width: number, column: number): string {
  const text = state.buffer.lines[line];
  if (text === undefined) return '';
  const number = gutter === 0 ? '' : `${inverse(String(line + 1).padStart(gutter - 1))} `;
  const shown = expandLine(text, state.tabSize);
  const from = line === state.line ? pageStart(column, width) : 0;
  const cut = shown.length - from > width ? `${shown.slice(from, from + width - 1)}${inverse('>')}` : shown.slice(from);
  return number + (from > 0 ? `${inverse('<')}${cut.slice(1)}` : cut);
}

function statusRow({ question, message, columns }: NanoState): string {
  if (question !== null) {
    const isChoice = ['save-changes', 'rename', 'replace-this'].includes(question.kind);
    const text = isChoice ? question.label : `${question.label}: ${question.answer}`;
    return inverse(text.slice(0, columns).padEnd(columns));
  }
  if (message === null || message === '') return '';
  const text = `[ ${message} ]`.slice(0, columns);
  return `${' '.repeat(Math.max(0, Math.floor((columns - text.length) / 2)))}${inverse(text)}`;
}

function choiceRows(kind: string): string[] {
  const all = kind === 'replace-this' ? `          ${inverse(' A')} All` : '';
  const first = `${inverse(' Y')} Yes${all}`;
  return [first, `${inverse(' N')} No           ${inverse('^C')} Cancel`];
}

function helpRows(keys: Keys, columns: number): string[] {
  const pairs = Math.min(Math.ceil(keys.length / 2), Math.max(1, Math.floor((columns + 40) / 20)));
  const width = Math.floor(columns / pairs);
  return [0, 1].map((row) => {
    let text = '';
    for (let i = 0; i < pairs; i++) {
      const [key, name] = keys[i * 2 + row] ?? ['', ''];
      text += inverse(key) + ` ${name}`.padEnd(Math.max(0, width - key.length)).slice(0, width - key.length);
    }
    return text;
  });
}
