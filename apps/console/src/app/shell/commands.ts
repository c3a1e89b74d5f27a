import { useEffect } from 'react';
import { createStore } from '../../api/store.js';
import type { IconName } from '../../parts/Icon.js';

/** Something that the palette offers. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** Above which heading it stands. */
  readonly group: string;
  readonly icon?: IconName;
  /** Other words to find it by. */
  readonly words?: readonly string[];
  run(): void;
}

const groups = new Map<object, readonly Command[]>();
export const commands = createStore<readonly Command[]>([]);
const publish = (): void => commands.set([...groups.values()].flat());

/** Offers commands in the palette as long as the component is shown. `key` says when they are others. */
export function useCommands(list: readonly Command[], key: string): void {
  useEffect(() => {
    const owner = {};
    groups.set(owner, list);
    publish();
    return () => {
      groups.delete(owner);
      publish();
    };
    // Commands are made anew with each rendering: the key says when they matter.
  }, [key]);
}

export const paletteOpen = createStore(false);
export const shortcutsOpen = createStore(false);
