import { defineKind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { TERMINAL_INPUTS, typedLinesOf } from '../../../machinery/past-change.js';
import { ageColumn, column, nameColumn } from '../../columns.js';

/** Lines that a user typed into a terminal. The cluster alone writes them, and deletes the oldest one. */
export interface TerminalInput extends KubeObject {
  /** Counts what was typed into terminals of this cluster, from 1. */
  number: number;
  user: string;
  groups: string[];
  /** Of the request that has opened the terminal: pods or nodes; exec, attach or shell. */
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
  container: string;
  /** The oldest first. */
  lines: string[];
}

export const kind = defineKind<TerminalInput>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'TerminalInput',
  plural: 'terminalinputs',
  singular: 'terminalinput',
  scope: 'Cluster',
  definition: '',
  generation: false,
  verbs: ['get', 'list', 'watch'],
  columns: [
    nameColumn,
    column('User', 'string', ({ user }) => user),
    column('Where', 'string', (input) => typedLinesOf(TERMINAL_INPUTS, input)!.place),
    column('Lines', 'string', ({ lines }) => lines.join('; ')),
    ageColumn,
  ],
});
