import type { Bytes } from '../../../engine/kernel/bytes.js';
import { type ToolContext, UsageFailure } from '../framework/tool.js';

export interface NslookupWords {
  readonly name: Bytes;
  readonly server: Bytes | undefined;
  readonly types: readonly string[];
  readonly timeoutMs?: number;
  readonly tries?: number;
}

/** The command line of nslookup: `-type=srv NAME [SERVER]`. Throws UsageFailure. */
export function readNslookup(tool: ToolContext): NslookupWords {
  const types: string[] = [];
  const words: Bytes[] = [];
  const numbers: { timeoutMs?: number; tries?: number } = {};
  for (const word of tool.args) {
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const [option = '', value = ''] = word.slice(1).toLowerCase().split('=', 2);
    if (['q', 'query', 'type', 'querytype', 'ty'].includes(option)) types.push(value.toUpperCase());
    else if (option === 'timeout' && Number(value) > 0) numbers.timeoutMs = 1_000 * Math.min(300, Number(value));
    else if (option === 'retry' && Number(value) > 0) numbers.tries = Math.min(10, Number(value));
    else if (option === 'port' && value !== '53') throw new UsageFailure('only port 53 is simulated');
    else if (!['debug', 'port', 'nosearch', 'search'].includes(option))
      throw new UsageFailure(`invalid option -- '${word[1] ?? ''}'`);
  }
  if (words.length > 2) throw new UsageFailure('');
  return { name: words[0] ?? '', server: words[1], types, ...numbers };
}
