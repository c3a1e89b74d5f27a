import { expect, test } from '@jest/globals';
import { rewriteLinks } from './html-links.js';

const rewrite = (link: string): string => (link.startsWith('/') ? `/below${link}` : link);

test.each([
  ['<a href="/x">test</a>', '<a href="/below/x">test</a>'],
  ["<A class=a HREF='/x' >", "<A class=a HREF='/below/x' >"],
  ['<img src=/a.png alt=/b>', '<img src=/below/a.png alt=/b>'],
  ['<a href="x"><form action = "/y">', '<a href="x"><form action = "/below/y">'],
  ['<p title="/x">1 < 2 <', '<p title="/x">1 < 2 <'],
  ['<!-- <a href="/x"> --><a href="/y">', '<!-- <a href="/x"> --><a href="/below/y">'],
  [
    '<script src="/s.js">"<a href=/x>"</script><a href=/y>',
    '<script src="/below/s.js">"<a href=/x>"</script><a href=/below/y>',
  ],
  ['<a href="/open', '<a href="/open'],
  ['<script>/x', '<script>/x'],
  ['<a href', '<a href'],
])('%s', (html, expected) => expect(rewriteLinks(html, rewrite)).toBe(expected));

test('a page that never ends is read once', () => {
  const html = '<a href="'.repeat(100_000);
  expect(rewriteLinks(html, rewrite)).toHaveLength(html.length);
});
