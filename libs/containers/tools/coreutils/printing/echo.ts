import { unescapeBytes } from '../../format.js';
import { defineTool } from '../../framework/tool.js';

export const echo = defineTool((tool) => {
  const words = [...tool.args];
  let [isRaw, escapes] = [false, false];
  while (/^-[neE]+$/.test(words[0] ?? '')) {
    for (const letter of words.shift()!.slice(1)) {
      if (letter === 'n') isRaw = true;
      else escapes = letter === 'e';
    }
  }
  const text = words.join(' ');
  const { bytes, isEnd } = escapes ? unescapeBytes(text) : { bytes: text, isEnd: false };
  tool.out(bytes + (isRaw || isEnd ? '' : '\n'));
  return 0;
});

export const succeed = defineTool(() => 0);
export const fail = defineTool(() => 1);
