import { FLOW, isBlank, isBreak, isSpace, type Cursor } from './cursor.js';

const ESCAPES = '0abt\tnvfre "/\\N_LPxuU';

/** Goes behind a text of `|` or `>`; `parent`: how far the collection is indented that it stands in, -1 for none. */
export function skipBlockScalar(cursor: Cursor, parent: number): void {
  cursor.skip();
  const given = skipHeader(cursor);
  let indent = given > 0 ? Math.max(parent, 0) + given : 0;
  for (indent = skipBreaks(cursor, indent, parent); cursor.column === indent && cursor.char() !== '';) {
    cursor.skipLine();
    if (cursor.char() !== '') cursor.skip();
    indent = skipBreaks(cursor, indent, parent);
  }
}

/** What stands behind the sign; the indentation that it names, or 0. */
function skipHeader(cursor: Cursor): number {
  let given = 0;
  for (let i = 0; i < 2; i++) {
    const char = cursor.char();
    if (char === '0') cursor.fail('found an indentation indicator equal to 0');
    if (/[1-9]/.test(char) && given === 0) given = Number(char);
    else if (char !== '+' && char !== '-') break;
    cursor.skip();
  }
  while (isBlank(cursor.char())) cursor.skip();
  if (cursor.char() === '#') cursor.skipLine();
  if (!isBreak(cursor.char())) cursor.fail('did not find expected comment or line break');
  cursor.skip();
  return given;
}

/** Goes to the next line that is not empty. Returns how far the text is indented: found here, when it is 0. */
function skipBreaks(cursor: Cursor, indent: number, parent: number): number {
  const isInside = (): boolean => indent === 0 || cursor.column < indent;
  let deepest = 0;
  for (;;) {
    while (isInside() && cursor.char() === ' ') cursor.skip();
    deepest = Math.max(deepest, cursor.column);
    if (isInside() && cursor.char() === '\t')
      cursor.fail('found a tab character where an indentation space is expected');
    if (cursor.char() === '' || !isBreak(cursor.char())) break;
    cursor.skip();
  }
  return indent === 0 ? Math.max(deepest, parent + 1, 1) : indent;
}

/** Goes behind a text between quotes. */
export function skipQuoted(cursor: Cursor): void {
  const quote = cursor.char();
  cursor.skip();
  for (;;) {
    const [char, next] = [cursor.char(), cursor.char(1)];
    if (cursor.isAtDocumentMark()) cursor.fail('found unexpected document indicator');
    if (char === '') cursor.fail('found unexpected end of stream');
    const isEscape = quote === '"' ? char === '\\' : char === quote && next === quote;
    if (char === quote && !isEscape) break;
    if (char === '\\' && isEscape && !isBreak(next) && !ESCAPES.includes(next))
      cursor.fail('found unknown escape character');
    if (isEscape) cursor.skip();
    cursor.skip();
  }
  cursor.skip();
}

/** Goes behind a text without quotes, whose further lines are indented so far at least. Returns whether it has any. */
export function skipPlain(cursor: Cursor, indent: number, isInFlow: boolean): boolean {
  let hasBreaks = false;
  while (!cursor.isAtDocumentMark() && cursor.char() !== '#') {
    while (!isSpace(cursor.char()) && !endsPlain(cursor, isInFlow)) {
      hasBreaks = false;
      cursor.skip();
    }
    if (cursor.char() === '' || !isSpace(cursor.char())) break;
    while (cursor.char() !== '' && isSpace(cursor.char())) {
      if (hasBreaks && cursor.column < indent && cursor.char() === '\t')
        cursor.fail('found a tab character that violates indentation');
      hasBreaks ||= isBreak(cursor.char());
      cursor.skip();
    }
    if (!isInFlow && cursor.column < indent) break;
  }
  return hasBreaks;
}

function endsPlain(cursor: Cursor, isInFlow: boolean): boolean {
  const [char, next] = [cursor.char(), cursor.char(1)];
  if (char === ':' && isSpace(next)) return true;
  if (!isInFlow) return false;
  return FLOW.includes(char) || (char === ':' && next !== '' && FLOW.includes(next));
}
