import { textOf } from '../../../engine/kernel/bytes.js';
import type { FilterContext } from '../framework/filter.js';
import { KubectlFailure } from './session/failure.js';

const MAX_STDIN = 4 << 20;

/** Standard input of a command that needs all of it. */
interface StdinState {
  stdin: string;
  isStdinOver: boolean;
}

/** False while standard input has no end. Throws KubectlFailure. */
export function takeStdin({ sys }: Pick<FilterContext, 'sys'>, state: StdinState): boolean {
  if (state.isStdinOver) return true;
  for (let bytes = sys.read(0); bytes !== ''; bytes = sys.read(0)) {
    if (bytes === undefined) return false;
    state.stdin += bytes;
    if (state.stdin.length > MAX_STDIN) throw new KubectlFailure('standard input is too long');
  }
  state.stdin = textOf(state.stdin);
  state.isStdinOver = true;
  return true;
}
