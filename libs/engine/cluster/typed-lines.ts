import type { Server } from '../apiserver/index.js';
import { TerminalInputs } from '../kinds/index.js';
import type { TerminalInput } from '../kinds/terrarium/terminalinput/kind.js';
import type { Typist } from '../machinery/requests/sessions.js';
import { hash32, SeededRandom } from '../machinery/random.js';
import { timestamp, type Millis } from '../machinery/time/time.js';

/** Of one cluster; the log has the older ones for as long as it keeps changes. */
export const MAX_INPUTS = 100;
/** The answer to the upgrade of a connection. */
const SWITCHING_PROTOCOLS = 101;
const TERRARIUM = 'system:terrarium';

/**
 * Writes down what a user has typed: one change by that user, which history, watches and forks know as any other; and
 * tells checks of each line.
 */
export function recordTyped(
  { state, asks }: Pick<Server, 'state' | 'asks'>,
  by: Typist,
  lines: readonly string[],
): void {
  if (lines.length === 0) return;
  const number = (latestInput(state.list(TerminalInputs))?.number ?? 0) + 1;
  const draft: TerminalInput = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'TerminalInput',
    metadata: { name: nameOf(number), uid: uidOf(number, state.now), creationTimestamp: timestamp(state.now) },
    ...{ number, ...by, groups: [...by.groups], lines: [...lines] },
  };
  const resource = state.resourceOf(TerminalInputs);
  state.put(resource, draft, by.user, 0);
  state.remove(resource, { namespace: '', name: nameOf(number - MAX_INPUTS) }, TERRARIUM, state.revision);
  noteLines(asks, by, lines);
}

function noteLines(asks: Server['asks'], by: Typist, lines: readonly string[]): void {
  if (!asks?.isWanted()) return;
  const { user, groups, resource, subresource, namespace } = by;
  const request = { user, groups, verb: 'type', group: '', resource, subresource, namespace, name: by.name };
  for (const line of lines)
    asks.note({ ...request, path: '', code: SWITCHING_PROTOCOLS, command: [], line, agent: '' });
}

const uidOf = (number: number, now: Millis): string => new SeededRandom(hash32(nameOf(number)), now).uuid();

const nameOf = (number: number): string => `input-${number}`;

/** The one that was typed last. */
export function latestInput(inputs: readonly TerminalInput[]): TerminalInput | undefined {
  let latest: TerminalInput | undefined;
  for (const input of inputs) if (latest === undefined || input.number > latest.number) latest = input;
  return latest;
}
