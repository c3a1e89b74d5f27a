import { pathOf } from '../../../kube/resource.js';
import { STRATEGIC_PATCH } from '../../../kube/client.js';
import type { Write } from '../actions/actions.js';

export interface DebugContainer {
  /** Of the new container. */
  readonly name: string;
  readonly image: string;
  /** The container whose processes it sees; '' for none. */
  readonly target: string;
}

/**
 * As `kubectl debug POD -it --image=IMAGE --target=CONTAINER` with the profile that it has by default, general. Models
 * kubectl/pkg/cmd/debug/debug.go generateDebugContainer, profiles.go.
 */
export const debugWrite = (
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { name: container, image, target }: DebugContainer,
): Write => ({
  method: 'PATCH',
  path: `${pathOf({ apiVersion: 'v1', resource: 'pods', namespaced: true }, namespace, name)}/ephemeralcontainers`,
  body: {
    spec: {
      ephemeralContainers: [
        {
          ...{ name: container, image, stdin: true, tty: true, terminationMessagePolicy: 'File' },
          ...(target === '' ? {} : { targetContainerName: target }),
          securityContext: { capabilities: { add: ['SYS_PTRACE'] } },
        },
      ],
    },
  },
  type: STRATEGIC_PATCH,
});

/** "debugger-" and five characters, as kubectl names them. `chance`: 0 to 1, one for each. */
export const debuggerName = (chance: () => number): string =>
  `debugger-${Array.from({ length: 5 }, () => LETTERS[Math.floor(chance() * LETTERS.length)]).join('')}`;

/** Without vowels, so that no words come about. Models apimachinery/pkg/util/rand. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
