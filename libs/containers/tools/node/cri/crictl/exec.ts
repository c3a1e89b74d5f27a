import { textOf } from '../../../../../engine/kernel/bytes.js';
import type { FilterContext } from '../../../framework/filter.js';
import { parseOptions } from '../../../framework/options.js';
import { ToolFailure } from '../../../framework/tool.js';
import { askRuntime } from '../../runtime.js';
import { defineSessionTool, type SessionCall } from '../../../sessions/runtime-session.js';
import { fail, GLOBAL } from '../failure.js';
import { findContainer } from './find.js';

const OPTIONS = ['i,interactive', 't,tty', 's,sync', 'timeout:', 'r,transport:', 'q,quiet', 'e,ignore-errors'];
const ATTACH_OPTIONS = ['i,stdin', 't,tty', 'r,transport:'];

/** `crictl exec`: a command in another pod's machine. Models cmd/crictl/exec.go. */
export const crictlExec = defineSessionTool({
  begin,
  end(_tool, _session, code) {
    if (code === 0) return 0;
    throw new ToolFailure(`command terminated with exit code ${code}`);
  },
  fail: (tool, error, session) =>
    fail(tool, error, session && `execing command in container ${String(session.request['id'])}`),
});

/** `crictl attach`: the container's own main process. Models cmd/crictl/attach.go. */
export const crictlAttach = defineSessionTool({
  begin: beginAttach,
  end: () => 0,
  fail: (tool, error, session) => fail(tool, error, session && 'attaching running container failed'),
});

function begin(tool: FilterContext): SessionCall | number {
  const { operands } = parseOptions(tool, GLOBAL, true);
  const options = parseOptions({ ...tool, args: operands.slice(1) }, OPTIONS, true);
  const [id = '', ...command] = options.operands;
  if (id === '' || command.length === 0) {
    tool.out(
      'NAME:\n   crictl exec - Run a command in a running container\n\nUSAGE:\n   crictl exec [command options] [CONTAINER-ID] COMMAND [ARG...]\n',
    );
    return 0;
  }
  const found = findContainer(askRuntime(tool.sys), id);
  const request = { id: found.id, command: command.map(textOf) };
  return { operation: 'Exec', request, stdin: options.has('i'), tty: options.has('t') };
}

function beginAttach(tool: FilterContext): SessionCall {
  const { operands } = parseOptions(tool, GLOBAL, true);
  const options = parseOptions({ ...tool, args: operands.slice(1) }, ATTACH_OPTIONS);
  const [id] = options.operands;
  if (id === undefined) throw new ToolFailure('ID cannot be empty');
  const found = findContainer(askRuntime(tool.sys), id);
  return { operation: 'Attach', request: { id: found.id }, stdin: options.has('i'), tty: options.has('t') };
}
