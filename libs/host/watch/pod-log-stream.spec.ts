import { describe, expect, it } from '@jest/globals';
import type { StreamResponse } from '@terrarium/engine';
import { ID, SILENT, apiRequest, createStore, openHost } from '../testing.js';

describe('openPodLogStream', () => {
  it('is read again at the time that it names and after each change, and ends when it is done', async () => {
    const { host } = openHost(await createStore());
    let asked = 0;
    const response: StreamResponse = {
      type: 'stream',
      status: 200,
      headers: {},
      next: (now) => ({ chunk: `${++asked};`, done: asked === 4, wakeAt: asked < 3 ? now + 5 : undefined }),
    };
    let text = '';
    for await (const chunk of await host.stream(ID, response)) {
      text += String(chunk);
      if (text === '1;2;3;') void host.request(ID, apiRequest('POST', '/a'));
    }
    expect(text).toBe('1;2;3;4;');
  });

  it('ends when it cannot be read, and tells why', async () => {
    const errors: unknown[] = [];
    const { host } = openHost(await createStore(), SILENT, {}, { onError: (error) => void errors.push(error) });
    const broken: StreamResponse = {
      type: 'stream',
      status: 200,
      headers: {},
      next: () => {
        throw new Error('broken');
      },
    };
    let text = '';
    for await (const chunk of await host.stream(ID, broken)) text += String(chunk);
    expect([text, errors]).toEqual(['', [new Error('broken')]]);
  });
});
