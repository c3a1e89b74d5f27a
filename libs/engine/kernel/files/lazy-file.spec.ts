import { describe, expect, it } from '@jest/globals';
import { readLater } from './lazy-file.js';

const newFile = (read: () => string) => readLater({ type: 'file', mode: 0o644 }, read);

describe('a file that is read later', () => {
  it('is read when its content is looked at, each time', () => {
    let reads = 0;
    const file = newFile(() => `read ${++reads}`);
    expect([reads, file.mode]).toEqual([0, 0o644]);
    expect([file.content, file.content]).toEqual(['read 1', 'read 2']);
  });

  it('leaves the file that it is made of as it was', () => {
    const before = { type: 'file', content: 'old' };
    expect(readLater(before, () => 'new').content).toBe('new');
    expect(before.content).toBe('old');
  });

  it('has its content in copies by fields and in JSON', () => {
    let text = 'first';
    const file = newFile(() => text);
    const copy = { ...file, mode: 0o600 };
    text = 'second';
    expect([copy.content, copy.mode]).toEqual(['first', 0o600]);
    expect(JSON.parse(JSON.stringify(file))).toEqual({ type: 'file', mode: 0o644, content: 'second' });
  });

  it('shares its accessor with all others', () => {
    const getters = [newFile(() => 'a'), newFile(() => 'b')].map(
      (file) => Object.getOwnPropertyDescriptor(file, 'content')?.get,
    );
    expect(getters[0]).toBeDefined();
    expect(getters[0]).toBe(getters[1]);
  });
});
