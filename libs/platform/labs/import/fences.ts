/** A block of code in Markdown, between two lines of the same fence. */
export interface Fence {
  /** Where it begins and ends in the text, without the last line's break. */
  readonly from: number;
  readonly to: number;
  /** Both lines begin with it. */
  readonly indent: string;
  readonly fence: string;
  /** What stands behind the opening fence, and behind the closing one. */
  readonly info: string;
  readonly tail: string;
  /** The lines between, each with its break. */
  readonly body: string;
}

const MIN_LENGTH = 3;

/** The blocks of a text whose closing line ends as it may, in one pass. */
export function findFences(text: string, mayEnd: (tail: string) => boolean): Fence[] {
  const found: Fence[] = [];
  let open: (Omit<Fence, 'to' | 'body' | 'tail'> & { readonly bodyFrom: number }) | undefined;
  let from = 0;
  for (const line of text.split('\n')) {
    const to = from + line.length;
    const start = open ? `${open.indent}${open.fence}` : '';
    if (!open) open = openingOf(line, from);
    else if (line.startsWith(start) && mayEnd(line.slice(start.length).trim())) {
      const { bodyFrom, ...opening } = open;
      found.push({ ...opening, to, tail: line.slice(start.length).trim(), body: text.slice(bodyFrom, from) });
      open = undefined;
    }
    from = to + 1;
  }
  return found;
}

function openingOf(line: string, from: number) {
  const trimmed = line.trimStart();
  const sign = trimmed[0];
  if (sign !== '`' && sign !== '~') return undefined;
  let length = 1;
  while (trimmed[length] === sign) length++;
  if (length < MIN_LENGTH) return undefined;
  const indent = line.slice(0, line.length - trimmed.length);
  return {
    ...{ from, indent, fence: sign.repeat(length), info: trimmed.slice(length).trim() },
    bodyFrom: from + line.length + 1,
  };
}

/** The text with what is given in place of each of its blocks. */
export function replaceFences(text: string, fences: readonly Fence[], replace: (fence: Fence) => string): string {
  let at = 0;
  let made = '';
  for (const fence of fences) {
    made += text.slice(at, fence.from) + replace(fence);
    at = fence.to;
  }
  return made + text.slice(at);
}

export const withoutIndent = (body: string, indent: string): string =>
  body
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
