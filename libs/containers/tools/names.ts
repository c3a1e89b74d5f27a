import type { Bytes } from '../../engine/kernel/bytes.js';

/** Without what stands at the end in a row. Takes linear time, unlike an expression. */
export function trimEnd(text: Bytes, character: Bytes): Bytes {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

export const trimSlashes = (path: Bytes): Bytes => trimEnd(path, '/');

/** The last name of a path: 'b' of 'a/b//'; '' of '/'. */
export function lastName(path: Bytes): Bytes {
  const trimmed = trimSlashes(path);
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** What stands before the last name, without slashes at its end; '' of 'a' and of '/a'. */
export function parentName(path: Bytes): Bytes {
  const trimmed = trimSlashes(path);
  return trimSlashes(trimmed.slice(0, trimmed.lastIndexOf('/') + 1));
}

/** Lines with their newlines; the last one may have none. */
export function cutLines(text: Bytes): Bytes[] {
  const lines: Bytes[] = [];
  let at = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
    lines.push(text.slice(at, end + 1));
    at = end + 1;
  }
  if (at < text.length) lines.push(text.slice(at));
  return lines;
}
