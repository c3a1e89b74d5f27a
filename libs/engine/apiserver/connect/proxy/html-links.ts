/** Attributes that hold a link, by tag. Models apimachinery/pkg/util/proxy/transport.go atomsToAttrs. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  ...{ a: ['href'], applet: ['codebase'], area: ['href'], audio: ['src'], base: ['href'], blockquote: ['cite'] },
  ...{ body: ['background'], button: ['formaction'], command: ['icon'], del: ['cite'], embed: ['src'] },
  ...{ form: ['action'], frame: ['longdesc', 'src'], head: ['profile'], html: ['manifest'] },
  ...{ iframe: ['longdesc', 'src'], img: ['longdesc', 'src', 'usemap'], input: ['src', 'usemap', 'formaction'] },
  ...{ ins: ['cite'], link: ['href'], object: ['classid', 'codebase', 'data', 'usemap'], q: ['cite'] },
  ...{ script: ['src'], source: ['src'], video: ['poster', 'src'] },
};
/** What is in these elements is no markup. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp']);
const NAME = /[a-z][a-z0-9]*/iy;
const SPACE = /[\s/]*/y;
const ATTRIBUTE = /[^\s=>/]+/y;
const EQUALS = /\s*=\s*/y;
const BARE = /[^\s>]*/y;

/** Rewrites the links of a page. It reads the text once, from its beginning to its end. */
export function rewriteLinks(html: string, rewrite: (link: string) => string): string {
  const parts: string[] = [];
  const lower = html.toLowerCase();
  let done = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at);
      if (end < 0) break;
      at = end;
      continue;
    }
    const name = match(NAME, html, at + 1).toLowerCase();
    at += 1 + name.length;
    if (name === '') continue;
    for (const { from, to } of linksOf(html, at, ATTRIBUTES[name] ?? [])) {
      parts.push(html.slice(done, from), rewrite(html.slice(from, to)));
      done = at = to;
    }
    if (!RAW.has(name)) continue;
    const end = lower.indexOf(`</${name}`, at);
    if (end < 0) break;
    at = end;
  }
  return parts.join('') + html.slice(done);
}

/** Where the values of attributes stand in a tag, whose name ends before `at`. */
function linksOf(html: string, start: number, wanted: readonly string[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  if (wanted.length === 0) return found;
  for (let at = start; at < html.length;) {
    at += match(SPACE, html, at).length;
    const name = match(ATTRIBUTE, html, at);
    if (name === '') break;
    at += name.length;
    const equals = match(EQUALS, html, at);
    if (equals === '') continue;
    at += equals.length;
    const quote = html[at] === '"' || html[at] === "'" ? html[at]! : '';
    const from = at + quote.length;
    const to = quote === '' ? from + match(BARE, html, from).length : html.indexOf(quote, from);
    if (to < 0) break;
    if (wanted.includes(name.toLowerCase())) found.push({ from, to });
    at = to + quote.length;
  }
  return found;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
