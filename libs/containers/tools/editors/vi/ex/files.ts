import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import { beginChange, newBuffer, replaceLines } from '../../core/buffer.js';
import { loadFile, saveFile } from '../../core/file.js';
import { decodeFile, encodeText } from '../../core/text.js';
import type { FilterContext } from '../../../framework/filter.js';
import { type ExCommand, pathOf, wordsOf } from './command.js';
import { moveToLine } from '../operators.js';
import { moveCursor, type ViState } from '../state.js';

/** Reads a file into the editor, which shows its first line. */
export function openFile(tool: FilterContext, state: ViState, path: string): void {
  state.path = path;
  state.message = '';
  let content: string | undefined;
  try {
    content = path === '' ? '' : loadFile(tool.sys, path);
  } catch (error) {
    state.message = describeFailure(state, path, error);
  }
  const { lines, isUtf8, isWhole } = decodeFile(content ?? '');
  Object.assign(state, { buffer: newBuffer(lines), isUtf8, line: 0, at: 0, want: 0, top: 0, left: 0, marks: {} });
  state.isReadonly = state.isReadonly || (content !== undefined && path !== '' && !tool.sys.access(path, 'w'));
  moveCursor(state, 0, 0);
  if (path === '' || state.message !== '') return;
  const shown = textOf(path);
  if (content === undefined) state.message = state.isBusybox ? '' : `"${shown}" [New]`;
  else if (!state.isBusybox) {
    const notes = (isWhole ? '' : '[noeol]') + (state.isReadonly ? '[readonly]' : '');
    const count = content === '' ? 0 : lines.length;
    state.message = `"${shown}" ${notes === '' ? '' : `${notes} `}${count}L, ${content.length}B`;
  }
}

function describeFailure(state: ViState, path: string, error: unknown): string {
  const words = wordsOf(error);
  const shown = textOf(path);
  if (state.isBusybox) return `'${shown}' ${words}`;
  if (error instanceof SystemError && error.code === 'EISDIR') return `"${shown}" is a directory`;
  return error instanceof SystemError && error.code === 'EACCES'
    ? `"${shown}" [Permission Denied]`
    : `"${shown}" ${words}`;
}

/** The lines as a file has them. */
function contentOf(state: ViState, from: number, to: number): string {
  const { lines } = state.buffer;
  if (lines.length === 1 && lines[0] === '') return '';
  return encodeText(`${lines.slice(from, to + 1).join('\n')}\n`, state.isUtf8);
}

/** False when it was not written. */
export function writeTo(
  tool: FilterContext,
  state: ViState,
  { isForced, rest, from, to, hasRange }: ExCommand,
): boolean {
  const fail = (busybox: string, vim: string): false => {
    state.message = state.isBusybox ? busybox : vim;
    return false;
  };
  if (rest.trimStart().startsWith('!'))
    return fail('bad address', 'E319: Sorry, the command is not available in this version');
  const isAppend = rest.trimStart().startsWith('>>');
  const path = pathOf(isAppend ? rest.trimStart().slice(2) : rest) || state.path;
  if (path === '') return fail('No current filename', 'E32: No file name');
  const isOwn = path === state.path;
  const isNew = !tool.sys.access(path, '');
  if (!isOwn && !isNew && !isForced && !isAppend)
    return fail('File exists (:w! overrides)', 'E13: File exists (add ! to override)');
  const shown = textOf(path);
  if (isOwn && state.isReadonly && !isForced) {
    return fail(`'${shown}' is read only`, "E45: 'readonly' option is set (add ! to override)");
  }
  const bytes = contentOf(state, from, to);
  try {
    const before = isAppend ? (loadFile(tool.sys, path) ?? '') : '';
    saveFile(tool.sys, path, before + bytes);
  } catch (error) {
    return fail(`'${shown}' ${wordsOf(error)}`, `"${shown}" E212: Can't open file for writing`);
  }
  if (state.path === '') state.path = path;
  if (path === state.path && !hasRange) state.buffer.changes = 0;
  const count = bytes === '' ? 0 : to - from + 1;
  state.message = state.isBusybox
    ? `'${shown}' ${count}L, ${bytes.length}C`
    : `"${shown}" ${isNew ? '[New] ' : ''}${count}L, ${bytes.length}B ${isAppend ? 'appended' : 'written'}`;
  return true;
}

export function quit(_tool: FilterContext, state: ViState, isForced: boolean): void {
  if (state.buffer.changes !== 0 && !isForced) {
    state.message = state.isBusybox
      ? 'No write since last change (:q! overrides)'
      : 'E37: No write since last change (add ! to override)';
    return;
  }
  state.code = 0;
}

export function editFile(tool: FilterContext, state: ViState, { isForced, rest }: ExCommand): void {
  if (state.buffer.changes !== 0 && !isForced) {
    state.message = state.isBusybox
      ? 'No write since last change (:e! overrides)'
      : 'E37: No write since last change (add ! to override)';
    return;
  }
  const path = pathOf(rest) || state.path;
  if (path === '') {
    state.message = state.isBusybox ? 'No current filename' : 'E32: No file name';
    return;
  }
  state.isReadonly = false;
  const isNew = !tool.sys.access(path, '');
  openFile(tool, state, path);
  if (!state.isBusybox || state.message !== '') return;
  const size = bytesOf(state.buffer.lines.join('\n')).length + 1;
  state.message = `'${textOf(path)}'${isNew ? ' [New file]' : ''}${state.isReadonly ? ' [Readonly]' : ''} ${state.buffer.lines.length}L, ${size}C`;
}

export function readInto(tool: FilterContext, state: ViState, { rest, to }: ExCommand): void {
  const path = pathOf(rest) || state.path;
  try {
    const content = loadFile(tool.sys, path);
    if (content === undefined) {
      state.message = state.isBusybox
        ? `'${textOf(path)}' No such file or directory`
        : `E484: Can't open file ${textOf(path)}`;
      return;
    }
    const { lines } = decodeFile(content);
    beginChange(state.buffer, state.line, state.at, tool.sys.now);
    replaceLines(state.buffer, to + 1, 0, content === '' ? [] : lines);
    moveToLine(state, to + 1);
    state.message = state.isBusybox
      ? `'${textOf(path)}' ${lines.length}L, ${content.length}C`
      : `"${textOf(path)}" ${lines.length}L, ${content.length}B`;
  } catch (error) {
    state.message = describeFailure(state, path, error);
  }
}
