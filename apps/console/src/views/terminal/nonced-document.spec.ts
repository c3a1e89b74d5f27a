import { expect, test } from '@jest/globals';
import { noncedDocument, withNoncedStyles } from './nonced-document.js';

class FakeDocument {
  readonly title = 'page';
  createElement(name: string): object {
    return { name, nonce: '' };
  }
  whoami(): boolean {
    return this instanceof FakeDocument;
  }
}

test('style elements carry the nonce, all else is the document’s own', () => {
  const made = noncedDocument(new FakeDocument() as unknown as Document, 'n1') as unknown as FakeDocument;
  expect(made.createElement('style')).toEqual({ name: 'style', nonce: 'n1' });
  expect(made.createElement('div')).toEqual({ name: 'div', nonce: '' });
  expect([made.title, made.whoami()]).toEqual(['page', true]);
});

test('only while it works', () => {
  const page = new FakeDocument();
  let made: object = {};
  withNoncedStyles(() => (made = page.createElement('style')), page as unknown as Document, 'n1');
  expect(made).toEqual({ name: 'style', nonce: 'n1' });
  expect(page.createElement('style')).toEqual({ name: 'style', nonce: '' });
});
