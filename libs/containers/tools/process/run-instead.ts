import type { Bytes } from '../../../engine/kernel/bytes.js';
import { EXEC } from '../../../engine/kernel/process/program.js';
import { exitCodeOf, findCommand } from '../framework/command.js';
import { strerror, type ToolContext, ToolFailure } from '../framework/tool.js';

/** Goes on as another program. Throws ToolFailure in the words of util-linux and busybox. */
export function runInstead(tool: ToolContext, words: readonly Bytes[], env?: Record<string, Bytes>): typeof EXEC {
  try {
    tool.sys.exec(findCommand(tool.sys, words[0]!), words, env);
    return EXEC;
  } catch (error) {
    const message = strerror(error);
    throw new ToolFailure(
      tool.flavour === 'gnu' ? `failed to execute ${words[0]}: ${message}` : `can't execute '${words[0]}': ${message}`,
      exitCodeOf(error),
    );
  }
}
