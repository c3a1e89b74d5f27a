import Library from 'markdown-to-jsx/react';
import type { ComponentProps, ReactNode } from 'react';
import { visibleLines } from './text.js';

/** Elsewhere, and told nothing of where it was followed from. */
const Away = ({ href, children }: ComponentProps<'a'>) =>
  // Without an address: it was one that runs a script.
  href ? (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  );

/** The page loads nothing from elsewhere: of a picture its words are shown. */
const Picture = ({ alt = '' }: ComponentProps<'img'>): ReactNode => alt;

/** Wider than its place, it is moved by keys, too. */
const Lines = ({ children }: ComponentProps<'pre'>) => <pre tabIndex={0}>{children}</pre>;

const OPTIONS = {
  // HTML in a text is text: what is shown is made of React's elements alone, and the library lets no script be a link.
  disableParsingRawHTML: true,
  forceBlock: true,
  wrapper: 'div',
  overrides: {
    a: Away,
    img: Picture,
    pre: Lines,
    // A text has its place below a heading of the page.
    h1: 'h3',
    h2: 'h3',
    h3: 'h4',
  },
} as const;

/** Markdown of somebody's, shown as text with its form. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <div className="markdown">
    <Library options={OPTIONS}>{visibleLines(text)}</Library>
  </div>
);
