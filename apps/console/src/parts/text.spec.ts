import { expect, test } from '@jest/globals';
import { visible, visibleLines } from './text.js';

test.each([
  ['web-1', 'web-1'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['a\u001b[31mred', 'a␛[31mred'],
  ['tab\tand\nline', 'tab␉and␊line'],
  ['gone\u007f', 'gone␡'],
  ['safe\u202egnp.exe', 'safe⟨U+202E⟩gnp.exe'],
  ['zero\u200bwidth\ufeff', 'zero⟨U+200B⟩width⟨U+FEFF⟩'],
  ['Grüße 🌱', 'Grüße 🌱'],
])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown));

test('lines and tabs of longer text stay', () => expect(visibleLines('a\tb\n\u0007c\r')).toBe('a\tb\n␇c␍'));
